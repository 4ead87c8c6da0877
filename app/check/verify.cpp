// The plan: which runs are made, and what they say together.
#include "app/check/verify.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <thread>

#include "app/check/machine.h"
#include "app/check/verify_build.h"
#include "app/check/verify_judge.h"
#include "app/check/verify_races.h"

namespace p2plab::check {

namespace {

using analysis::Certainty;
using analysis::Finding;
using analysis::Verdict;

/// A folder for the programs that were compiled, removed at the end.
class BuildFolder {
 public:
  BuildFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "p2plab-verify-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Error("job.cannot_create", {{"path", name}, {"why", std::strerror(errno)}}, 3);
    path_ = name;
  }
  ~BuildFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  BuildFolder(const BuildFolder&) = delete;
  BuildFolder& operator=(const BuildFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

constexpr std::uint32_t kLongestDelayUs = 2000;  ///< a few scheduling slices: enough to change who comes first
constexpr trace::Ns kLongRunNs = 2'000'000'000;

/// One run, and what was made of it.
struct Done {
  VerifyEvidence evidence;
  RunJudgement judgement;
};

class Plan {
 public:
  Plan(const launch::Installation& installation, const VerifyRequest& request, const VerifyWatcher& watcher)
      : installation_(installation), request_(request), watcher_(watcher) {}

  VerifyResult run() {
    const BuildFolder folder;
    lines_.show(request_.program);
    programs_ = build_programs(installation_, request_, folder.path());
    if (programs_.failed) {
      result_.verdict = Verdict::build_error;
      result_.compiler_text = programs_.compiler_text;
      result_.why = {"verify.build_error", {{"file", request_.program.string()}}};
      return std::move(result_);
    }
    result_.instrumented = programs_.instrumented;
    all_runs();
    conclude();
    return std::move(result_);
  }

 private:
  VerifyRunSpec spec(bool access, bool strict) const {
    VerifyRunSpec spec;
    spec.program = access ? programs_.access : programs_.plain;
    spec.arguments = request_.arguments;
    spec.ranks = request_.ranks;
    spec.seed = request_.seed;
    spec.timeout_s = request_.timeout_s;
    spec.preload = programs_.preload;
    spec.orders.access = access ? 1 : 0;
    spec.orders.strict = strict ? 1 : 0;
    spec.orders.hashes = access ? 0 : 1;
    spec.ends_on_livelock = strict;
    return spec;
  }

  Done make(const VerifyRunSpec& spec) { return std::move(make_all({spec}).front()); }

  /// Runs at the same time, told in their order.
  std::vector<Done> make_all(const std::vector<VerifyRunSpec>& specs) {
    std::vector<std::unique_ptr<VerifyRun>> runs;
    for (const VerifyRunSpec& spec : specs) runs.push_back(std::make_unique<VerifyRun>(installation_, spec, lines_));
    for (bool going = true; going && !stopped_;) {
      going = false;
      for (auto& run : runs) going = run->poll() || going;
      stopped_ = watcher_ && !watcher_(runs.front()->trace());
      if (going) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::vector<Done> out;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (stopped_) runs[i]->cancel();
      out.push_back(finish(*runs[i], specs[i]));
    }
    return out;
  }

  Done finish(VerifyRun& run, const VerifyRunSpec& spec) {
    Done done{run.take(), {}};
    done.judgement = judge_run(done.evidence, lines_);
    VerifiedRun told;
    told.strict = spec.orders.strict != 0;
    told.access = spec.orders.access != 0;
    told.forced.assign(spec.orders.forced, spec.orders.forced + spec.orders.forced_count);
    told.verdict = done.judgement.verdict;
    told.wall_ns = done.evidence.wall_ns;
    result_.runs.push_back(std::move(told));
    return done;
  }

  /// --runs bounds the search over orders of messages; a plain, an access and a strict run are always made.
  bool may_search() const { return !stopped_ && std::cmp_less(orders_tried_, request_.runs); }
  bool have_proven() const { return std::any_of(result_.findings.begin(), result_.findings.end(), is_proven); }
  bool have(std::string_view kind) const {
    return std::any_of(result_.findings.begin(), result_.findings.end(), [&](const Finding& finding) { return finding.kind == kind && is_proven(finding); });
  }

  void all_runs() {
    Done plain = make(spec(false, false));
    if (plain.judgement.verdict == Verdict::infra_error) return give_up(plain);
    result_.findings = plain.judgement.findings;
    const bool hung = have("deadlock");
    if (hung) result_.metrics["detect_ns"] = plain.evidence.detect_ns;
    // What ends badly after a choice of messages may end well after another: then the choice is the cause.
    if (have_proven()) races(plain);
    const bool settled = have("deadlock") || have("livelock") || have("resource-limit") || have("collective-mismatch") || have("type-mismatch") ||
                         have("size-mismatch") || have("invalid-argument") || have("message-race");
    if (!settled && !stopped_) {
      // Two runs that do not need each other; the strict one counts only where nothing else is wrong.
      std::vector<VerifyRunSpec> specs = {spec(true, false)};
      if (!have_proven()) specs.push_back(spec(false, true));
      const bool together = plain.evidence.wall_ns < kLongRunNs;  // a long run is not made longer by another beside it
      std::vector<Done> done = together ? make_all(specs) : make_all({specs[0]});
      access(done[0]);
      if (!together && specs.size() > 1 && !have_proven() && !broken_ && !stopped_) done.push_back(make(specs[1]));
      if (done.size() > 1 && !have_proven() && !broken_) strict(done[1]);
    }
    if (!have_proven() && !searched_) races(plain);
    if (!have_proven() && !broken_ && may_choose(plain.evidence.trace)) delayed();
    result_.trace = std::move(shown_ ? *shown_ : plain.evidence.trace);
  }

  void give_up(Done& done) {
    result_.why = done.judgement.why;
    result_.trace = std::move(done.evidence.trace);
    broken_ = true;
  }

  /// What the program touches while MPI owns it. Such a race explains a crash or an exit status of the plain run.
  void access(Done& done) {
    tell_apart(done.evidence.trace);
    bool found = false;
    for (Finding& finding : done.judgement.findings) {
      if (!finding.kind.ends_with("-buffer-race")) continue;
      found = found || is_proven(finding);
      // The exact finding takes the place of the one by hashes.
      std::erase_if(result_.findings, [&](const Finding& known) { return known.kind == finding.kind && known.detail.id.starts_with("finding-detail."); });
      result_.findings.push_back(std::move(finding));
    }
    if (found) {
      std::erase_if(result_.findings, [](const Finding& known) { return known.kind == "crash" || known.kind == "wrong-exit"; });
      shown_ = std::move(done.evidence.trace);
    } else if (done.judgement.verdict == Verdict::infra_error && !have_proven()) {
      give_up(done);
    } else if (!have_proven()) {
      add_new(done.judgement.findings);
    }
  }

  /// Wildcards whose status the program has looked at.
  void tell_apart(const trace::Trace& trace) {
    for (const trace::Note& note : trace.notes()) {
      if (trace.name(note.name) == "status-read") told_apart_.insert({note.rank, std::atoi(trace.name(note.text).c_str())});
    }
  }

  /// A run of ours that was too slow to come to its end: what it would have shown is not known, and that is said.
  void unfinished(Finding finding, const char* run) {
    finding.certainty = Certainty::possible;
    finding.detail = {"verify-detail.unfinished-run", {{"run", run}, {"limit", fmt::format("{:g}", request_.timeout_s)}}};
    result_.findings.push_back(std::move(finding));
  }

  /// Findings of another run that are not known yet.
  void add_new(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) {
      if (finding.kind == "livelock") continue;
      if (finding.kind == "resource-limit") {
        unfinished(finding, "access");
        continue;
      }
      const bool known = std::any_of(result_.findings.begin(), result_.findings.end(), [&](const Finding& other) { return other.kind == finding.kind; });
      if (!known) result_.findings.push_back(finding);
    }
  }

  /// Every send synchronous, every collective a meeting: what hangs now was saved by buffers.
  void strict(Done& done) {
    if (done.judgement.verdict == Verdict::infra_error) return give_up(done);
    for (Finding& finding : done.judgement.findings) {
      if (finding.kind == "deadlock" || finding.kind == "livelock") {
        finding.certainty = finding.kind == "livelock" ? Certainty::possible : Certainty::proven;
        finding.kind = "unsafe-buffering";
        const std::size_t dash = finding.detail.id.rfind('-');
        const bool variant = finding.detail.id.starts_with("finding-detail.deadlock-");
        finding.detail.id = "finding-detail.unsafe-buffering" + (variant ? finding.detail.id.substr(dash) : std::string());
        result_.findings.push_back(std::move(finding));
        shown_ = std::move(done.evidence.trace);
      } else if (finding.kind == "resource-limit") {
        unfinished(finding, "strict");
      } else if (is_proven(finding)) {
        result_.findings.push_back(std::move(finding));
      }
    }
  }

  /// Wildcards take other messages that could have matched: does the program come to another end?
  void races(const Done& plain) {
    if (broken_) return;
    searched_ = true;
    std::vector<std::vector<trace::ForcedMatch>> waiting = alternatives(plain.evidence.trace, {});
    while (!waiting.empty() && may_search()) {
      ++orders_tried_;
      const std::vector<trace::ForcedMatch> forced = std::move(waiting.front());
      waiting.erase(waiting.begin());
      VerifyRunSpec forced_spec = spec(false, false);
      forced_spec.orders.forced_count = static_cast<std::uint32_t>(std::min<std::size_t>(forced.size(), trace::kMaxForced));
      std::copy_n(forced.begin(), forced_spec.orders.forced_count, forced_spec.orders.forced);
      // A choice that leads nowhere is not worth the whole patience of a run.
      forced_spec.timeout_s = std::min(request_.timeout_s, 2 + 4 * static_cast<double>(plain.evidence.wall_ns) / 1e9);
      const Done done = make(forced_spec);
      if (!is_possible(done.evidence, forced) || done.evidence.job.end == launch::JobEnd::wall_limit) {
        result_.runs.back().verdict = Verdict::not_run;
        continue;
      }
      if (const auto finding = compare_outcomes(plain.evidence, plain.judgement, done.evidence, done.judgement, forced, told_apart_)) {
        result_.findings.clear();
        result_.findings.push_back(*finding);
        return;
      }
      // Depth first: a choice far from the first run's is reached in few runs.
      auto next = alternatives(done.evidence.trace, forced);
      waiting.insert(waiting.begin(), std::make_move_iterator(next.begin()), std::make_move_iterator(next.end()));
    }
    orders_left_ = waiting.size();
  }

  /// The program takes what comes first: a wildcard, a test, a wait for any.
  static bool may_choose(const trace::Trace& trace) {
    for (std::size_t i = 0; i < trace.spans().size(); ++i) {
      const trace::Span& span = trace.spans()[i];
      const bool any = span.kind == trace::Kind::wait && (span.flags & trace::kAny) != 0;
      const bool wildcard = (span.flags & trace::kInFlight) != 0 && span.kind == trace::Kind::receive && (span.peer == trace::kNone || span.tag == trace::kNone);
      if (any || wildcard) return true;
    }
    return false;
  }

  /// Seeded delays before calls: another timing must not lead to another end.
  void delayed() {
    if (stopped_) return;
    VerifyRunSpec slow = spec(false, false);
    slow.orders.delay_us = kLongestDelayUs;
    Done done = make(slow);
    const auto worst = std::find_if(done.judgement.findings.begin(), done.judgement.findings.end(),
                                    [](const Finding& finding) { return is_proven(finding) && finding.kind != "resource-limit"; });
    if (worst == done.judgement.findings.end()) return;
    Finding finding = *worst;
    if (finding.kind == "deadlock" || finding.kind == "crash" || finding.kind == "wrong-exit") {
      finding.detail = {"verify-detail.race-delay", {{"end", finding.kind}}};
      finding.kind = "message-race";
    }
    result_.findings.push_back(std::move(finding));
    shown_ = std::move(done.evidence.trace);
  }

  void conclude() {
    result_.metrics["runs"] = result_.runs.size();
    result_.metrics["orders_tried"] = orders_tried_ + 1;
    result_.metrics["orders_known_left"] = orders_left_;
    result_.metrics["messages"] = result_.trace.messages().size();
    trace::Ns wall = 0;
    for (const VerifiedRun& run : result_.runs) wall += run.wall_ns;
    result_.metrics["runs_wall_ns"] = wall;
    result_.trace.run.version = P2PLAB_VERSION;
    result_.trace.run.mpi = mpi_name();
    if (stopped_) {
      result_.verdict = Verdict::infra_error;
      result_.why = {"why.cancelled", {}};
      return;
    }
    if (broken_ && !have_proven()) {
      result_.verdict = Verdict::infra_error;
      return;
    }
    result_.verdict = have_proven() ? Verdict::fail : Verdict::pass;
    // Proven ones first, and none that says less about the same.
    std::stable_sort(result_.findings.begin(), result_.findings.end(), [](const Finding& a, const Finding& b) { return is_proven(a) && !is_proven(b); });
  }

  const launch::Installation& installation_;
  const VerifyRequest& request_;
  const VerifyWatcher& watcher_;
  SourceLines lines_;
  VerifyPrograms programs_;
  VerifyResult result_;
  std::optional<trace::Trace> shown_;
  ToldApart told_apart_;
  std::size_t orders_tried_ = 0, orders_left_ = 0;  ///< choices of messages beside the first run's
  bool searched_ = false, stopped_ = false, broken_ = false;
};

}  // namespace

VerifyResult verify(const launch::Installation& installation, const VerifyRequest& request, const VerifyWatcher& watcher) {
  return Plan(installation, request, watcher).run();
}

}  // namespace p2plab::check
