// See lab_check.h.
#include "app/check/lab_check.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <stdexcept>
#include <thread>

#include "app/analysis/site.h"
#include "app/check/lab_hollow.h"
#include "app/check/source_lines.h"
#include "app/content/nearest.h"
#include "app/launch/sandbox.h"

namespace p2plab::check {

namespace {

using analysis::Finding;
using analysis::Verdict;

/// The gate that a finding closes.
std::string gate_of(const Finding& finding) {
  const std::string& kind = finding.kind;
  if (kind == "request-leak" || kind == "resource-leak") return "leaks";
  if (kind == "send-buffer-race" || kind == "recv-buffer-race") return "buffers";
  if (kind == "unmatched-message" || kind == "type-mismatch" || kind == "size-mismatch" || kind == "collective-mismatch" || kind == "invalid-argument" || kind == "message-race") return "trace";
  return "finish";
}

std::vector<LabOutcome> all_checks(const LabManifest& lab, Verdict verdict) {
  std::vector<LabOutcome> out;
  for (const std::string& gate : lab_gates()) out.push_back({.id = gate, .gate = true, .verdict = verdict});
  for (const LabCheck& check : lab.checks) out.push_back({.id = check.id, .hidden = check.hidden, .weight = check.weight, .verdict = verdict});
  return out;
}

class Checker {
 public:
  Checker(const launch::Installation& installation, const LabManifest& lab, const LabRequest& request, const LabWatcher& watcher)
      : installation_(installation), lab_(lab), request_(request), watcher_(watcher) {
    result_.checks = all_checks(lab, Verdict::pass);
  }

  LabResult run() {
    result_.no_sandbox = launch::no_sandbox_reason();
    const LabWork work = find_work(lab_, request_.work);
    result_.ignored = work.ignored;
    if (files(work) && build(work)) {
      if (calls_around()) all_runs();
    }
    conclude();
    if (result_.verdict == Verdict::pass && lab_.advice > 0) advise();
    return std::move(result_);
  }

 private:
  LabOutcome& at(std::string_view id) {
    return *std::find_if(result_.checks.begin(), result_.checks.end(), [&](const LabOutcome& outcome) { return outcome.id == id; });
  }

  /// The first failure of a check counts.
  bool fail(const std::string& id, Verdict cause, TextRef what, std::vector<Finding> findings = {}, std::optional<LabCase> where = {}) {
    LabOutcome& outcome = at(id);
    if (outcome.verdict == Verdict::fail) return false;
    outcome.verdict = Verdict::fail;
    outcome.cause = cause;
    outcome.what = std::move(what);
    outcome.findings = std::move(findings);
    outcome.where = std::move(where);
    return false;
  }

  bool files(const LabWork& work) {
    if (!work.fault.id.empty()) {
      closed_ = result_.no_work = true;
      result_.missing = work.missing;
      return fail("files", Verdict::fail, work.fault);
    }
    const auto changed = changed_files(lab_, work);
    if (changed.empty()) return true;
    closed_ = true;
    return fail("files", Verdict::fail, {"lab-detail.files", {{"files", content::join(changed)}, {"lab", lab_.id}}});
  }

  bool build(const LabWork& work) {
    program_ = build_lab(installation_, lab_, work.file, desk_, request_.go_on);
    if (!program_.built && request_.go_on && !request_.go_on()) {
      stopped_ = true;
      return false;
    }
    result_.compiler_text = program_.compiler_text;
    lines_.show(program_.source, program_.source.filename().string());
    if (program_.built) return true;
    closed_ = true;
    const std::string id = program_.limit.empty() ? "lab-detail.build" : "lab-detail.build-" + program_.limit;
    return fail("build", Verdict::build_error, {id, {{"file", program_.source.filename().string()}}});
  }

  bool calls_around() {
    if (lab_.world != LabWorld::mpi) return true;
    const auto names = forbidden_symbols(lab_, program_.plain);
    if (names.empty()) return true;
    const bool listed = std::all_of(names.begin(), names.end(), [&](const std::string& name) { return std::find(lab_.forbidden.begin(), lab_.forbidden.end(), name) != lab_.forbidden.end(); });
    fail("calls", Verdict::fail, {listed ? "lab-detail.forbidden" : "lab-detail.around", {{"names", content::join(names)}}});
    closed_ = !listed;  // a program that goes around the profiling layer shows nothing
    return listed;
  }

  void all_runs() {
    for (const LabRun& run : lab_.runs) {
      if (stopped_ || broken_) return;
      one_run(run);
    }
  }

  void one_run(const LabRun& run) {
    std::deque<LabCase> waiting;
    for (LabCase& how : cases_of(lab_, run, request_.seed)) {
      if (!how.access || program_.instrumented) waiting.push_back(std::move(how));
    }
    std::deque<std::unique_ptr<LabCaseRun>> running;
    std::deque<LabCase> hows;
    while (!waiting.empty() || !running.empty()) {
      while (!waiting.empty() && static_cast<int>(running.size()) < std::max(request_.jobs, 1)) {
        running.push_back(start_case(installation_, lab_, program_, waiting.front(), desk_, lines_));
        hows.push_back(std::move(waiting.front()));
        waiting.pop_front();
      }
      if (!until_over(running, hows)) break;
      ++result_.cases;
      const bool good = judge(run, running.front()->take());
      running.pop_front();
      hows.pop_front();
      if (!good) break;
    }
    for (auto& left : running) left->cancel();
  }

  /// The first of them in their order is over, whatever the others do. False when the learner stopped it.
  bool until_over(std::deque<std::unique_ptr<LabCaseRun>>& running, const std::deque<LabCase>& hows) {
    for (bool going = true; going;) {
      going = running.front()->poll();
      for (std::size_t i = 1; i < running.size(); ++i) running[i]->poll();
      if ((watcher_ && !watcher_(running.front()->trace(), hows.front())) || (request_.go_on && !request_.go_on())) {
        stopped_ = true;
        return false;
      }
      if (going) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }

  /// What is shown if nothing before it in the list of checks fails: the first failure of all, else the first case.
  void keep(LabSeen& seen) {
    if (result_.cut.id.empty()) result_.cut = seen.cut;
    const LabOutcome* failure = result_.first_failure();
    for (LabOutcome& outcome : result_.checks)
      if (outcome.verdict == Verdict::fail && outcome.where && !outcome.trace) outcome.trace = seen.trace;
    if (kept_ && (failure == nullptr || failure->trace != seen.trace)) return;
    result_.trace = seen.trace;
    result_.output = std::move(seen.output);
    kept_ = true;
  }

  /// False when a gate is closed: the run's other cases are not worth their time.
  bool judge(const LabRun& run, LabSeen seen) {
    if (seen.verdict == Verdict::infra_error || seen.verdict == Verdict::not_run) {
      broken_ = true;
      fail("trace", Verdict::infra_error, seen.why.id.empty() ? TextRef{"lab-detail.no-evidence", {}} : seen.why, seen.findings, seen.how);
      result_.why = at("trace").what;
      keep(seen);
      return false;
    }
    if (seen.verdict != Verdict::pass) {
      close_gates(run, seen);
      return false;
    }
    if (!called(seen)) {
      runs_closed_.push_back(run.id);
      keep(seen);
      return false;
    }
    rules(run, seen);
    keep(seen);
    return true;
  }

  void close_gates(const LabRun& run, LabSeen& seen) {
    runs_closed_.push_back(run.id);
    for (const std::string& gate : lab_gates()) {
      std::vector<Finding> findings;
      for (const Finding& finding : seen.findings)
        if (gate_of(finding) == gate) findings.push_back(finding);
      if (!findings.empty()) fail(gate, verdict_of(gate, seen), {"lab-detail." + gate, {}}, std::move(findings), seen.how);
    }
    if (seen.findings.empty()) fail(seen.gate, seen.verdict, seen.why, {}, seen.how);
    keep(seen);
  }
  static Verdict verdict_of(const std::string& gate, const LabSeen& seen) {
    if (gate == "buffers") return Verdict::race;
    if (gate == "finish") return seen.verdict;
    return Verdict::fail;
  }

  /// Forbidden and required calls, as the trace has them.
  bool called(const LabSeen& seen) {
    const LabEvidence evidence{seen.how, *seen.trace, {}, nullptr};
    const auto apply = [&](const char* rule, const std::vector<std::string>& words) {
      if (words.empty()) return true;
      RuleOutcome outcome = find_lab_rule(rule)->judge(evidence, {{"calls", content::join(words, " ")}});
      return outcome.pass || fail("calls", Verdict::fail, outcome.what, std::move(outcome.findings), seen.how);
    };
    const bool allowed = apply("avoids", lab_.forbidden);
    return apply("uses", lab_.required) && allowed;
  }

  /// The serial program's numbers for a case; equal cases share them.
  const trace::Trace* reference(const LabCase& how) {
    if (!program_.reference) return nullptr;
    const auto key = std::make_pair(how.run, std::make_pair(how.ranks, how.bytes));
    const auto known = references_.find(key);
    if (known != references_.end()) return known->second.get();
    const auto run = start_reference(installation_, lab_, program_, how, desk_);
    while (run->poll()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return references_.emplace(key, run->take().trace).first->second.get();
  }

  void rules(const LabRun& run, const LabSeen& seen) {
    if (seen.how.access) return;  // its order is another one; only what it found counts
    const LabEvidence evidence{seen.how, *seen.trace, values_of(lab_, seen.how), reference(seen.how)};
    if (request_.hollow && (passes_hollow(lab_, evidence, Hollow::silent) || passes_hollow(lab_, evidence, Hollow::empty)) &&
        std::find(result_.hollow.begin(), result_.hollow.end(), run.id) == result_.hollow.end())
      result_.hollow.push_back(run.id);
    for (const LabCheck& check : lab_.checks) {
      const bool judged = check.runs.empty() || std::find(check.runs.begin(), check.runs.end(), run.id) != check.runs.end();
      if (!judged || at(check.id).verdict != Verdict::pass) continue;
      seen_.push_back(check.id);
      RuleOutcome outcome = judge_by(check, evidence);
      if (outcome.pass) continue;
      fail(check.id, Verdict::fail, outcome.what, std::move(outcome.findings), seen.how);
      at(check.id).wanted = std::move(outcome.wanted);
      at(check.id).seen = std::move(outcome.seen);
      at(check.id).spans = std::move(outcome.spans);
    }
  }

  static RuleOutcome judge_by(const LabCheck& check, const LabEvidence& evidence) {
    try {
      return find_lab_rule(check.rule)->judge(evidence, check.with);
    } catch (const std::invalid_argument& wrong) {  // a formula that only this case shows to be none
      throw Error("lab.bad_rule", {{"check", check.id}, {"what", wrong.what()}});
    }
  }

  /// The predictions of the learner's program against its own messages between real ranks of this machine.
  void advise() {
    LabCase how;
    how.run = lab_.runs.front().id;
    how.ranks = lab_.runs.front().ranks.front();
    how.seed = request_.seed;
    int asked = 0, good = 0;
    try {
      const auto run = start_real(installation_, lab_, program_, how, desk_);
      while (run->poll()) {
        if (request_.go_on && !request_.go_on()) return run->cancel();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      const LabSeen seen = run->take();
      if (seen.verdict != Verdict::pass && seen.verdict != Verdict::unsafe) return;
      const LabEvidence evidence{seen.how, *seen.trace, values_of(lab_, seen.how), nullptr};
      for (LabCheck check : lab_.checks) {
        if (check.rule != "prediction") continue;
        check.with["within"] = std::to_string(lab_.advice);
        ++asked;
        good += judge_by(check, evidence).pass ? 1 : 0;
      }
    } catch (const Error&) {  // no MPI here: then there is no advice
      return;
    }
    result_.advice = {"lab.advice", {{"good", std::to_string(good)}, {"asked", std::to_string(asked)}, {"within", std::to_string(static_cast<int>(lab_.advice * 100 + 0.5))}}};
  }

  void conclude() {
    not_run();
    score();
    result_.cancelled = stopped_;
    if (stopped_) {
      result_.verdict = Verdict::not_run;
      result_.score = 0;
      result_.why = {"lab-detail.stopped", {}};
      return;
    }
    const LabOutcome* failure = result_.first_failure();
    if (failure != nullptr && failure->trace) result_.trace = failure->trace;
    if (broken_) {
      result_.verdict = Verdict::infra_error;
      result_.score = 0;
    } else if (failure != nullptr) {
      result_.verdict = failure->cause;
    } else if (std::any_of(result_.checks.begin(), result_.checks.end(), [](const LabOutcome& o) { return o.verdict != Verdict::pass; })) {
      result_.verdict = Verdict::infra_error;
      result_.why = {"lab-detail.no-evidence", {}};
    } else {
      result_.verdict = Verdict::pass;
    }
  }

  /// What stands behind something that failed, or was never looked at.
  void not_run() {
    const auto behind = [&](LabOutcome& outcome, const std::string& other) {
      if (outcome.verdict != Verdict::pass) return;
      outcome.verdict = Verdict::not_run;
      outcome.what = {"lab-detail.behind", {{"other", other}}};
    };
    const LabOutcome* closed = nullptr;
    for (LabOutcome& outcome : result_.checks) {
      if (!outcome.gate) break;
      if (closed != nullptr && (closed_ || broken_)) behind(outcome, closed->id);
      if (closed == nullptr && outcome.verdict == Verdict::fail) closed = &outcome;
    }
    for (const LabCheck& check : lab_.checks) {
      LabOutcome& outcome = at(check.id);
      const bool looked_at = std::find(seen_.begin(), seen_.end(), check.id) != seen_.end();
      const bool run_closed = std::any_of(runs_closed_.begin(), runs_closed_.end(),
                                          [&](const std::string& run) { return check.runs.empty() || std::find(check.runs.begin(), check.runs.end(), run) != check.runs.end(); });
      if (closed != nullptr && (closed_ || run_closed || !looked_at)) behind(outcome, closed->id);
      for (const std::string& other : check.depends)
        if (at(other).verdict != Verdict::pass) {
          if (outcome.verdict == Verdict::fail) outcome.verdict = Verdict::pass;  // its failure follows from the other's
          behind(outcome, other);
        }
      if (!looked_at && outcome.verdict == Verdict::pass) behind(outcome, "–");
    }
  }

  void score() {
    double all = 0, good = 0;
    for (const LabOutcome& outcome : result_.checks) {
      all += outcome.weight;
      if (outcome.verdict == Verdict::pass) good += outcome.weight;
    }
    result_.score = all > 0 ? good / all : (result_.first_failure() == nullptr ? 1 : 0);
  }

  const launch::Installation& installation_;
  const LabManifest& lab_;
  const LabRequest& request_;
  const LabWatcher& watcher_;
  LabDesk desk_;
  LabProgram program_;
  SourceLines lines_;
  LabResult result_;
  std::vector<std::string> runs_closed_, seen_;
  std::map<std::pair<std::string, std::pair<int, std::optional<std::int64_t>>>, std::shared_ptr<const trace::Trace>> references_;
  bool closed_ = false;   ///< nothing could be run
  bool broken_ = false;   ///< the lab itself has no evidence
  bool stopped_ = false, kept_ = false;
};

LabResult checked(const launch::Installation& installation, const LabManifest& lab, const LabRequest& request, const LabWatcher& watcher) {
  try {
    return Checker(installation, lab, request, watcher).run();
  } catch (const std::filesystem::filesystem_error& error) {  // of the checker's own folder: no room, no rights
    throw Error("lab.no_desk", {{"path", error.path2().empty() ? error.path1().string() : error.path2().string()}, {"why", error.code().message()}}, 3);
  }
}

}  // namespace

const LabOutcome* LabResult::first_failure() const {
  const auto found = std::find_if(checks.begin(), checks.end(), [](const LabOutcome& outcome) { return outcome.verdict == Verdict::fail; });
  return found == checks.end() ? nullptr : &*found;
}

const LabOutcome* LabResult::find(std::string_view id) const {
  const auto found = std::find_if(checks.begin(), checks.end(), [&](const LabOutcome& outcome) { return outcome.id == id; });
  return found == checks.end() ? nullptr : &*found;
}

LabResult without_verdict(const LabManifest& lab, TextRef why) {
  LabResult out;
  out.checks = all_checks(lab, Verdict::not_run);
  for (LabOutcome& outcome : out.checks) outcome.what = {"lab-detail.no-verdict", {}};
  out.why = std::move(why);
  return out;
}

LabResult check_lab(const launch::Installation& installation, const LabManifest& lab, const LabRequest& request, const LabWatcher& watcher) {
  std::optional<LabResult> first;
  for (int i = 0; i < std::max(request.repeat, 1); ++i) {
    LabResult result = checked(installation, lab, request, watcher);
    if (!first) first = std::move(result);
    else if (result.cancelled) return result;
    else if (result.verdict != first->verdict) {
      first->why = {"lab-detail.unstable", {{"first", std::string(to_string(first->verdict))}, {"other", std::string(to_string(result.verdict))}, {"number", std::to_string(i + 1)}}};
      first->verdict = Verdict::unstable;
      first->score = std::min(first->score, result.score);
      break;
    }
    if (first->cancelled) break;
  }
  return std::move(*first);
}

}  // namespace p2plab::check
