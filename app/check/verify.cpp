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
#include "app/content/nearest.h"

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
constexpr trace::Ns kRepeatedRunNs = 10'000'000'000;  ///< a bad end within this time is tried again: a busy machine makes any run slow
constexpr double kSlower = 100;   ///< a run at -O0 that tells every access against the plain one at -O3, at most
constexpr double kLongestOfOurs = 5;  ///< times the limit that the program itself has

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
      if (!programs_.limit.empty()) result_.why = {"verify.build_" + programs_.limit, {{"file", request_.program.string()}}};
      if (programs_.bad_flags) result_.why = {"verify.bad_flags", {{"flags", content::join(request_.cflags, " ")}, {"file", request_.program.string()}}};
      return std::move(result_);
    }
    result_.instrumented = programs_.instrumented;
    if (programs_.around.empty()) all_runs();
    else look_away();
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
  bool may_search() const { return !stopped_ && std::cmp_less(searched_runs_, request_.runs); }
  bool have_proven() const { return std::any_of(result_.findings.begin(), result_.findings.end(), is_proven); }
  /// They do not change how a run goes on, so that it may still show something else.
  static bool is_leak(const Finding& finding) { return finding.kind == "request-leak" || finding.kind == "resource-leak"; }
  bool have_more_than_leaks() const {
    return std::any_of(result_.findings.begin(), result_.findings.end(), [](const Finding& finding) { return is_proven(finding) && !is_leak(finding); });
  }
  bool have(std::string_view kind) const {
    return std::any_of(result_.findings.begin(), result_.findings.end(), [&](const Finding& finding) { return finding.kind == kind && is_proven(finding); });
  }

  void all_runs() {
    Done plain = make(spec(false, false));
    if (plain.judgement.verdict == Verdict::infra_error) return give_up(plain);
    result_.findings = plain.judgement.findings;
    if (name_program(plain.evidence.attached)) {
      result_.trace = std::move(plain.evidence.trace);
      return;
    }
    const bool hung = have("deadlock");
    if (hung) result_.metrics["detect_ns"] = plain.evidence.detect_ns;
    // What ends badly after a choice of messages may end well after another: then the choice is the cause.
    if (have_proven()) races(plain);
    const bool settled = have("deadlock") || have("resource-limit") || have("livelock") || have("collective-mismatch") || have("type-mismatch") ||
                         have("size-mismatch") || have("invalid-argument") || have("message-race");
    if (!settled && !stopped_) {
      // Two runs that do not need each other; the strict one counts only where nothing else is wrong.
      std::vector<VerifyRunSpec> specs = {spec(true, false)};
      if (!have_more_than_leaks()) {
        specs.push_back(spec(false, true));
        // Whoever polls in the plain run has given up, or been answered, within its time.
        specs.back().polling_ns = kPollingNs + 2 * plain.evidence.wall_ns;
      }
      for (VerifyRunSpec& ours : specs) ours.timeout_s = patience(plain);
      const bool together = plain.evidence.wall_ns < kLongRunNs;  // a long run is not made longer by another beside it
      std::vector<Done> done = together ? make_all(specs) : make_all({specs[0]});
      access(done[0], specs[0], plain);
      if (!together && specs.size() > 1 && !have_more_than_leaks() && !broken_ && !stopped_) done.push_back(make(specs[1]));
      if (done.size() > 1 && !have_more_than_leaks() && !broken_) {
        if (have_proven()) saved_by_buffers(done[1]);
        else strict(done[1], specs[1], plain);
      }
    }
    if (!have_proven() && !searched_) races(plain);
    if (!have_proven() && !broken_ && may_choose(plain.evidence.trace, false)) delayed(plain);
    if (plain.judgement.verdict != Verdict::pass && have_proven()) repeat_plain(plain);
    result_.trace = std::move(shown_ ? *shown_ : plain.evidence.trace);
  }

  /// Not even run: what the trace would lack could make a right program look wrong as well as a wrong one right.
  void look_away() {
    constexpr std::size_t kMostNames = 4;
    std::vector<std::string> names;
    for (const std::string& name : programs_.around) {
      names.push_back(names.size() < kMostNames ? name : "…");
      if (names.size() > kMostNames) break;
    }
    result_.why = {"verify.around_probe", {{"program", request_.program.string()}, {"calls", content::join(names, ", ")}}};
    broken_ = true;
  }

  /// Nobody called MPI: that is all there is to say, and an executable may be no MPI program at all.
  bool name_program(int attached) {
    const auto none = std::find_if(result_.findings.begin(), result_.findings.end(), [](const Finding& finding) { return finding.detail.id == "verify-detail.no-mpi"; });
    if (none == result_.findings.end()) return false;
    const int missing = request_.ranks - attached;
    if (programs_.preload && programs_.not_mpi.empty() && missing > 0) {  // it may well have called MPI: nobody was there to see it
      result_.findings.erase(none);
      result_.why = {"verify.no_probe", {{"missing", std::to_string(missing)}, {"ranks", std::to_string(request_.ranks)}}};
      broken_ = true;
    } else if (!programs_.not_mpi.empty()) {
      none->detail = {programs_.not_mpi == "-" ? "verify-detail.no-mpi-program" : "verify-detail.other-mpi",
                      {{"path", request_.program.string()}, {"library", programs_.not_mpi}}};
    }
    return true;
  }

  /// What a run of ours gets, in s: it is slower than the program by our doing.
  double patience(const Done& plain) const {
    return std::clamp(kSlower * static_cast<double>(plain.evidence.wall_ns) / 1e9, request_.timeout_s, kLongestOfOurs * request_.timeout_s);
  }

  // ---- what a program does once and not again

  static bool passes(const Done& done) { return done.judgement.verdict == Verdict::pass; }
  /// Ends that come from the program alone: no accident of the lab's limits, and no race, which has its own evidence.
  static bool is_its_own(const Finding& finding) {
    return is_proven(finding) && !is_cut_off(finding) && finding.kind != "message-race" && !finding.kind.ends_with("-buffer-race");
  }
  /// The run was ended, so what it would have come to is not known.
  static bool is_cut_off(const Finding& finding) { return finding.kind == "resource-limit" || (finding.kind == "livelock" && is_proven(finding)); }

  /// The same run again. True when it passes now, though `first` ended badly: something beside the messages decides.
  bool passes_again(VerifyRunSpec again, const Done& first) {
    if (stopped_ || first.evidence.wall_ns > kRepeatedRunNs) return false;
    again.timeout_s = std::min(again.timeout_s, (static_cast<double>(kRepeatedRunNs) + 4 * static_cast<double>(first.evidence.wall_ns)) / 1e9);
    return passes(make(again));
  }

  /// The plain run ended badly, and nothing it chose explains that.
  void repeat_plain(const Done& plain) {
    const bool own = std::any_of(result_.findings.begin(), result_.findings.end(), is_its_own);
    const bool other = std::any_of(result_.findings.begin(), result_.findings.end(), [](const Finding& finding) { return is_proven(finding) && !is_its_own(finding); });
    if (!own || other || may_choose(plain.evidence.trace) || !passes_again(spec(false, false), plain)) return;
    if (have("deadlock")) {  // a send that sometimes finds room: that is a defect of the program, and always there
      const Done strict = make(spec(false, true));
      if (strict.judgement.verdict == Verdict::deadlock) return;
    }
    unstable_ = true;
  }

  void give_up(Done& done) {
    result_.why = done.judgement.why;
    result_.trace = std::move(done.evidence.trace);
    broken_ = true;
  }

  /// A run of ours that took its messages in another order than the plain one and ended badly: is it the order? The program
  /// as it is, made to take that order, tells.
  bool blames_order(const Done& plain, const Done& done) {
    const auto order = choices_of(done.evidence.trace);
    if (passes(done) || stopped_ || !differ(choices_of(plain.evidence.trace), order)) return false;
    VerifyRunSpec same = spec(false, false);
    same.timeout_s = std::min(request_.timeout_s, 2 + 4 * static_cast<double>(plain.evidence.wall_ns) / 1e9);
    force(same, order);
    Done again = make(same);
    if (passes(again) || again.evidence.job.end == launch::JobEnd::wall_limit) return false;
    const auto finding = compare_outcomes(plain.evidence, plain.judgement, again.evidence, again.judgement, order, told_apart_, noise_);
    if (!finding || !is_proven(*finding)) return false;
    result_.findings = {*finding};
    shown_ = std::move(again.evidence.trace);
    return true;
  }

  /// Two runs of which one ended by itself, and badly, after requests were found complete in another order: the same run again
  /// tells whether that comes from the order.
  bool blames_completion(const Done& good, const Done& bad, VerifyRunSpec again) {
    if (stopped_ || !passes(good) || bad.evidence.wall_ns > kRepeatedRunNs) return false;
    auto finding = other_completion(good.evidence, bad.evidence, bad.judgement);
    if (!finding) return false;
    again.timeout_s = std::min(again.timeout_s, 2 + 4 * static_cast<double>(bad.evidence.wall_ns) / 1e9);
    const Done repeated = make(again);
    if (repeated.judgement.verdict == Verdict::infra_error || repeated.evidence.job.end == launch::JobEnd::wall_limit) return false;
    // Bad after the good order, or good after the bad one: it is something else.
    if (completed_alike(passes(repeated) ? bad.evidence : good.evidence, repeated.evidence)) return false;
    result_.findings = {*finding};
    return true;
  }

  /// True when a wildcard of both runs took another message.
  static bool differ(const std::vector<trace::ForcedMatch>& first, const std::vector<trace::ForcedMatch>& second) {
    return std::any_of(first.begin(), first.end(), [&](const trace::ForcedMatch& one) {
      return std::any_of(second.begin(), second.end(), [&](const trace::ForcedMatch& other) { return one.rank == other.rank && one.wildcard == other.wildcard && one.source != other.source; });
    });
  }

  /// What the program touches while MPI owns it. Such a race explains a crash or an exit status of the plain run.
  void access(Done& done, const VerifyRunSpec& spec, const Done& plain) {
    tell_apart(done.evidence.trace);
    bool found = false;
    std::vector<Finding> exact;
    for (Finding& finding : done.judgement.findings) {
      if (!finding.kind.ends_with("-buffer-race")) continue;
      found = found || is_proven(finding);
      // The exact finding takes the place of the one by hashes.
      std::erase_if(result_.findings, [&](const Finding& known) { return known.kind == finding.kind && known.detail.id.starts_with("finding-detail."); });
      exact.push_back(std::move(finding));
    }
    for (Finding& finding : exact) {
      // A send from a buffer that is being received: its contents change because they arrive, and the receive explains that.
      std::erase_if(result_.findings, [&](const Finding& known) { return known.kind == "send-buffer-race" && known.detail.id.starts_with("finding-detail.") && explains(finding, known); });
      result_.findings.push_back(std::move(finding));
    }
    if (found) {
      std::erase_if(result_.findings, [](const Finding& known) { return known.kind == "crash" || known.kind == "wrong-exit"; });
      shown_ = std::move(done.evidence.trace);
    } else if (done.judgement.verdict == Verdict::infra_error && !have_proven()) {
      give_up(done);
    } else if (passes(done) && !passes(plain) && blames_completion(done, plain, this->spec(false, false))) {
      return;
    } else if (!have_proven()) {
      if (passes(plain) && (blames_order(plain, done) || blames_completion(plain, done, spec))) return;
      const bool own = std::any_of(done.judgement.findings.begin(), done.judgement.findings.end(), is_its_own);
      add_new(done.judgement.findings, spec.timeout_s);
      if (own && !may_choose(done.evidence.trace) && passes_again(spec, done)) unstable_ = true;
    }
  }

  /// True if every place of `known` is one of the exact finding's, too.
  static bool explains(const Finding& exact, const Finding& known) {
    return is_proven(exact) && std::all_of(known.sites.begin(), known.sites.end(), [&](const analysis::Site& site) {
      return std::any_of(exact.sites.begin(), exact.sites.end(), [&](const analysis::Site& other) { return other.rank == site.rank && other.file == site.file && other.line == site.line; });
    });
  }

  /// Wildcards whose status the program has looked at. Where its reads are not told, one that it asked for counts: gcc tells nothing
  /// of a struct that is passed by value.
  void tell_apart(const trace::Trace& trace) {
    std::set<std::pair<int, int>> given;
    for (const trace::Note& note : trace.notes()) {
      const std::pair wildcard{note.rank, note.number};
      if (trace.name(note.name) == "status-source-read") told_apart_.source.insert(wildcard);
      if (trace.name(note.name) == "status-tag-read") told_apart_.tag.insert(wildcard);
      if (trace.name(note.name) == "status-given") given.insert(wildcard);
    }
    if (!given.empty() && (!programs_.instrumented || passes_by_value(programs_.access, "MPI_Status"))) told_apart_.source.merge(given);
  }

  /// A run of ours that was too slow to come to its end: what it would have shown is not known, so there is no pass.
  void unfinished(const char* run, double timeout_s) {
    if (unjudged_.id.empty()) unjudged_ = {std::string("verify.unfinished_") + run, {{"limit", fmt::format("{:.3g}", timeout_s)}}};
  }

  /// Findings of another run that are not known yet.
  void add_new(const std::vector<Finding>& findings, double timeout_s) {
    for (const Finding& finding : findings) {
      if (is_cut_off(finding)) unfinished("access", timeout_s);
      if (is_cut_off(finding) || finding.kind == "livelock") continue;
      const bool known = std::any_of(result_.findings.begin(), result_.findings.end(), [&](const Finding& other) { return other.kind == finding.kind; });
      if (!known) result_.findings.push_back(finding);
    }
  }

  /// Every send synchronous, every collective a meeting: what hangs now was saved by buffers.
  void strict(Done& done, const VerifyRunSpec& spec, const Done& plain) {
    if (done.judgement.verdict == Verdict::infra_error) return give_up(done);
    if (blames_order(plain, done) || blames_completion(plain, done, spec)) return;
    const bool own = std::any_of(done.judgement.findings.begin(), done.judgement.findings.end(), is_its_own);
    if (own && !may_choose(done.evidence.trace) && passes_again(spec, done)) unstable_ = true;
    saved_by_buffers(done);
    for (Finding& finding : done.judgement.findings) {
      if (finding.kind == "resource-limit") unfinished("strict", spec.timeout_s);
      else if (is_proven(finding)) result_.findings.push_back(std::move(finding));
    }
  }

  /// What stands still in the strict run only. Whoever polls there may give up by itself after longer.
  void saved_by_buffers(Done& done) {
    std::vector<Finding> others;
    for (Finding& finding : done.judgement.findings) {
      if (finding.kind != "deadlock" && finding.kind != "livelock") {
        others.push_back(std::move(finding));
        continue;
      }
      const std::size_t dash = finding.detail.id.rfind('-');
      const bool variant = finding.detail.id.starts_with("finding-detail." + finding.kind + "-");
      finding.detail.id = "finding-detail.unsafe-buffering" + (variant ? finding.detail.id.substr(dash) : finding.kind == "livelock" ? "-polling" : std::string());
      if (finding.kind == "livelock") finding.certainty = Certainty::possible;
      finding.kind = "unsafe-buffering";
      result_.findings.push_back(std::move(finding));
      shown_ = std::move(done.evidence.trace);
    }
    done.judgement.findings = std::move(others);
  }

  /// Wildcards take other messages that could have matched: does the program come to another end?
  void races(const Done& plain) {
    if (broken_) return;
    searched_ = true;
    std::optional<Finding> maybe;  ///< a difference that the program may want
    std::vector<std::vector<trace::ForcedMatch>> waiting = alternatives(plain.evidence.trace, {}, &orders_beyond_);
    while (!waiting.empty() && may_search()) {
      ++searched_runs_;
      const std::vector<trace::ForcedMatch> forced = std::move(waiting.front());
      waiting.erase(waiting.begin());
      VerifyRunSpec forced_spec = spec(false, false);
      force(forced_spec, forced);
      // A choice that leads nowhere is not worth the whole patience of a run.
      forced_spec.timeout_s = std::min(request_.timeout_s, 2 + 4 * static_cast<double>(plain.evidence.wall_ns) / 1e9);
      forced_spec.polling_ns = kPollingNs / 5 + 2 * plain.evidence.wall_ns;
      Done done = make(forced_spec);
      if (done.judgement.verdict == Verdict::infra_error && !stopped_) done = make(forced_spec);  // no evidence of this order yet
      if (done.judgement.verdict == Verdict::infra_error) {
        ++orders_unseen_;
        continue;
      }
      if (!is_possible(done.evidence, forced) || done.evidence.job.end == launch::JobEnd::wall_limit || done.evidence.ended_polling) {
        result_.runs.back().verdict = Verdict::not_run;
        continue;
      }
      ++orders_tried_;
      const auto first = compare_outcomes(plain.evidence, plain.judgement, done.evidence, done.judgement, forced, told_apart_, noise_);
      const auto finding = first ? confirmed(plain, done, forced, forced_spec, *first) : std::nullopt;
      if (finding && is_proven(*finding)) {
        result_.findings.clear();
        result_.findings.push_back(*finding);
        return;
      }
      if (finding && !maybe) maybe = finding;
      // Depth first: a choice far from the first run's is reached in few runs.
      auto next = alternatives(done.evidence.trace, forced);
      waiting.insert(waiting.begin(), std::make_move_iterator(next.begin()), std::make_move_iterator(next.end()));
    }
    orders_left_ = waiting.size() + orders_unseen_;
    if (maybe) result_.findings.push_back(*maybe);
  }

  /// A difference between two runs is the choice's only if the same choices make the same difference again: what is left of it then.
  std::optional<Finding> confirmed(const Done& plain, const Done& other, const std::vector<trace::ForcedMatch>& forced, VerifyRunSpec again, const Finding& finding) {
    if (stopped_ || finding.detail.id == "verify-detail.race-kept") return finding;
    if (finding.detail.id != "verify-detail.race-verdict") {
      // The first run, repeated, shows what differs by itself, such as times that are printed.
      if (noise_) return finding;
      force(again, choices_of(plain.evidence.trace));
      noise_ = noise_between(plain.evidence, make(again).evidence);
      return compare_outcomes(plain.evidence, plain.judgement, other.evidence, other.judgement, forced, told_apart_, noise_);
    }
    force(again, choices_of(other.evidence.trace));
    const Done repeated = make(again);
    if (repeated.evidence.job.end == launch::JobEnd::wall_limit || repeated.judgement.verdict == Verdict::infra_error) return finding;
    if (passes(repeated) == passes(other)) return finding;
    add_new((passes(other) ? repeated : other).judgement.findings, again.timeout_s);
    unstable_ = true;
    return std::nullopt;
  }

  static void force(VerifyRunSpec& spec, const std::vector<trace::ForcedMatch>& forced) {
    spec.orders.forced_count = static_cast<std::uint32_t>(std::min<std::size_t>(forced.size(), trace::kMaxForced));
    std::copy_n(forced.begin(), spec.orders.forced_count, spec.orders.forced);
  }

  /// The program takes what comes first: a wildcard, a wait for any; and where `polls` counts, a test.
  static bool may_choose(const trace::Trace& trace, bool polls = true) {
    const int looks = trace::kAny | (polls ? trace::kPolling : 0);
    for (std::size_t i = 0; i < trace.spans().size(); ++i) {
      const trace::Span& span = trace.spans()[i];
      const bool any = span.kind == trace::Kind::wait && (span.flags & looks) != 0;
      const bool wildcard = (span.flags & trace::kInFlight) != 0 && span.kind == trace::Kind::receive && (span.peer == trace::kNone || span.tag == trace::kNone);
      if (any || wildcard) return true;
    }
    return false;
  }

  /// Seeded delays before calls: another timing must not lead to another end.
  void delayed(const Done& plain) {
    if (stopped_) return;
    VerifyRunSpec slow = spec(false, false);
    slow.orders.delay_us = kLongestDelayUs;
    Done done = make(slow);
    const auto worst = std::find_if(done.judgement.findings.begin(), done.judgement.findings.end(),
                                    [](const Finding& finding) { return is_proven(finding) && !is_cut_off(finding); });
    if (worst == done.judgement.findings.end()) return;
    Finding finding = *worst;
    if (const auto order = other_completion(plain.evidence, done.evidence, done.judgement)) {
      finding = *order;
    } else if (finding.kind == "deadlock" || finding.kind == "crash" || finding.kind == "wrong-exit") {
      finding.detail = {"verify-detail.race-delay", {{"end", finding.kind}}};
      finding.kind = "message-race";
    }
    result_.findings.push_back(std::move(finding));
    shown_ = std::move(done.evidence.trace);
  }

  /// Receives that asked for more than came.
  static std::size_t short_messages(const trace::Trace& trace) {
    const auto& all = trace.received();
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const trace::Received& received) {
      const trace::Span& span = trace.span(received.receive);
      return span.kind == trace::Kind::receive && received.bytes < span.bytes;
    }));
  }

  void conclude() {
    result_.metrics["runs"] = result_.runs.size();
    result_.metrics["orders_tried"] = orders_tried_ + 1;
    result_.metrics["orders_known_left"] = orders_left_;
    result_.metrics["orders_out_of_reach"] = orders_beyond_;
    result_.metrics["messages"] = result_.trace.messages().size();
    result_.metrics["short_messages"] = short_messages(result_.trace);
    trace::Ns wall = 0;
    for (const VerifiedRun& run : result_.runs) wall += run.wall_ns;
    result_.metrics["runs_wall_ns"] = wall;
    result_.trace.run.version = P2PLAB_VERSION;
    result_.trace.run.command = request_.program.string();
    result_.trace.run.mpi = mpi_name();
    if (stopped_ || unstable_) {
      result_.verdict = stopped_ ? Verdict::infra_error : Verdict::unstable;
      result_.why = {stopped_ ? "verify.interrupted" : "verify.unstable", {}};
      for (Finding& finding : result_.findings) finding.certainty = Certainty::possible;  // `fail` is for what is proven, and always so
      return;
    }
    if (!unjudged_.id.empty() && !have_proven()) {
      result_.verdict = Verdict::infra_error;
      result_.why = unjudged_;
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
  std::optional<Noise> noise_;    ///< once it had to be known
  TextRef unjudged_;              ///< what could not be looked at
  std::size_t searched_runs_ = 0, orders_tried_ = 0, orders_unseen_ = 0, orders_left_ = 0;  ///< choices of messages beside the first run's
  std::size_t orders_beyond_ = 0;  ///< and those that no run can be made to take, as too many others lie before them
  bool searched_ = false, unstable_ = false, stopped_ = false, broken_ = false;
};

}  // namespace

VerifyResult verify(const launch::Installation& installation, const VerifyRequest& request, const VerifyWatcher& watcher) {
  return Plan(installation, request, watcher).run();
}

}  // namespace p2plab::check
