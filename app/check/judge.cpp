// See judge.h. The steps stand in the order in which one cause hides another.
#include "app/check/judge.h"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "app/analysis/buffers.h"
#include "app/analysis/leaks.h"
#include "app/analysis/site.h"
#include "app/analysis/strict.h"
#include "app/check/call_words.h"
#include "app/check/metrics.h"
#include "app/launch/job_directory.h"

namespace p2plab::check {

namespace {

using analysis::Certainty;
using analysis::Finding;
using analysis::Site;
using analysis::Verdict;

/// Largest difference of a gradient from a single-process run that is rounding, not an error of the schedule.
constexpr double kGradientTolerance = 1e-5;

Finding finding(std::string kind, TextRef detail, std::vector<Site> sites = {}, int count = 1) {
  Finding out;
  out.kind = std::move(kind);
  out.sites = std::move(sites);
  out.count = count;
  out.detail = std::move(detail);
  return out;
}

/// One judgement in the making.
struct Judge {
  const DemoManifest& demo;
  const RunRequest& request;
  const Evidence& evidence;
  RunResult& result;

  const trace::Trace& trace() const { return evidence.trace; }

  bool conclude(Verdict verdict, Finding why) {
    result.verdict = verdict;
    result.findings.push_back(std::move(why));
    return true;
  }
  bool no_verdict(Verdict verdict, TextRef why) {
    result.verdict = verdict;
    result.why = std::move(why);
    return true;
  }

  bool unseen() {
    if (!evidence.other_build.empty()) return no_verdict(Verdict::infra_error, {"job.other_build", {{"program", evidence.other_build}}});
    if (!evidence.shm_full) return false;
    return no_verdict(Verdict::infra_error, {"job.shm_full", {{"path", launch::shm_directory().string()}}});
  }

  bool stopped() {
    if (evidence.left_waiting) return false;  // the rank that failed is the cause
    if (evidence.cancelled || evidence.job.end == launch::JobEnd::cancelled) return no_verdict(Verdict::not_run, {"why.cancelled", {}});
    if (evidence.job.end == launch::JobEnd::lost) return no_verdict(Verdict::infra_error, {"job_end.lost", {}});
    return false;
  }

  std::string words(int rank) const { return evidence.last_words ? evidence.last_words(rank) : std::string(); }

  bool hung() {
    if (!evidence.deadlock) return false;
    return conclude(Verdict::deadlock, *evidence.deadlock);
  }

  /// Signals that end the others once one rank has failed.
  static bool is_aftermath(const launch::RankExit& end) { return end.signal == SIGKILL || end.signal == SIGTERM; }

  bool crashed() {
    std::vector<launch::RankExit> bad;
    for (const launch::RankExit& end : evidence.job.ranks) {
      if (end.signal || end.status.value_or(0) != 0) bad.push_back(end);
    }
    std::stable_sort(bad.begin(), bad.end(), [](const auto& a, const auto& b) { return is_aftermath(a) < is_aftermath(b); });
    if (!bad.empty() && bad.front().signal) return by_signal(bad.front().rank, *bad.front().signal);
    if (!bad.empty()) return by_status(bad.front());
    if (evidence.job.signal) return by_signal(0, *evidence.job.signal);
    if (evidence.job.exit_status.value_or(0) != 0) {
      const std::string status = std::to_string(*evidence.job.exit_status);
      return conclude(Verdict::fail, finding("wrong-exit", {"why.job_exit", {{"status", status}, {"last", words(0)}}}));
    }
    return false;
  }
  bool by_signal(int rank, int signal) {
    if (signal == SIGXFSZ && evidence.file_limit != 0) {
      const std::string limit = std::to_string(evidence.file_limit) + " B";
      return conclude(Verdict::resource_limit, finding("resource-limit", {"why.limit-file", {{"rank", std::to_string(rank)}, {"limit", limit}, {"measured", limit}}}, {at(rank)}));
    }
    const std::string last = words(rank);
    Params params{{"rank", std::to_string(rank)}, {"signal", std::to_string(signal)}, {"name", signal_name(signal)}};
    if (!last.empty()) params.emplace_back("last", last);
    return conclude(Verdict::crash, finding("crash", {last.empty() ? "why.signal_silent" : "why.signal", params}, {at(rank)}));
  }
  bool by_status(const launch::RankExit& end) {
    const std::string last = words(end.rank);
    Params params{{"rank", std::to_string(end.rank)}, {"status", std::to_string(*end.status)}};
    if (!last.empty()) params.emplace_back("last", last);
    return conclude(Verdict::fail, finding("wrong-exit", {last.empty() ? "why.exit_silent" : "why.exit", params}, {at(end.rank)}));
  }
  static std::string signal_name(int signal) {
    const char* name = sigabbrev_np(signal);
    return name == nullptr ? "?" : "SIG" + std::string(name);
  }
  /// Where a rank was last seen: the newest span that is still open, else only its number.
  Site at(int rank) const {
    for (std::size_t i = trace().spans().size(); i-- > 0;) {
      const auto id = static_cast<trace::SpanId>(i);
      const trace::Span& span = trace().span(id);
      if (span.open() && trace().tracks()[span.track].rank == rank) return analysis::operation_site(trace(), id);
    }
    Site site;
    site.rank = rank;
    return site;
  }

  bool limited() {
    const auto& job = evidence.job;
    const auto amount = [&](std::uint64_t value) {
      switch (job.end) {
        case launch::JobEnd::wall_limit:
        case launch::JobEnd::cpu_limit: return fmt::format("{:g} s", static_cast<double>(value) / 1000);
        case launch::JobEnd::memory_limit: return std::to_string(value) + " B";
        default: return std::to_string(value);
      }
    };
    const bool ended = job.end == launch::JobEnd::wall_limit || job.end == launch::JobEnd::cpu_limit || job.end == launch::JobEnd::memory_limit || job.end == launch::JobEnd::process_limit;
    if (!ended) return false;
    return conclude(Verdict::resource_limit, finding("resource-limit", {"why.limit-" + job.limit, {{"limit", amount(job.limit_value)}, {"measured", amount(job.measured)}}}));
  }

  /// Every message arrived, some at receives that were meant for others: the program counted them.
  bool swapped() {
    const auto count = static_cast<int>(program_metric(trace(), "swapped_count").value_or(0));
    if (count <= 0) return false;
    auto found = analysis::finding_of(trace(), "message-race", receives_of("swapped_count"));
    if (found.empty()) found.push_back(finding("message-race", {}));
    found.front().detail = {"why.swapped", {{"count", std::to_string(count)}}};
    return conclude(Verdict::corrupt, std::move(found.front()));
  }

  /// Wrong bytes are wrong whether or not the trace is complete.
  bool corrupted() {
    for (Finding& found : analysis::buffer_findings(trace())) {
      if (found.kind == "send-buffer-race" && program_metric(trace(), "corrupt_bytes") == 0.0) {
        found.detail = {"why.intact", {{"count", std::to_string(found.count)}}};
      }
      conclude(Verdict::corrupt, std::move(found));
    }
    if (result.verdict == Verdict::corrupt) return true;
    const auto wrong = static_cast<std::int64_t>(program_metric(trace(), "corrupt_bytes").value_or(0));
    if (wrong <= 0) return false;
    // The senders kept their buffers as they were, so it was the receiving side that looked or wrote too early.
    auto found = analysis::finding_of(trace(), "recv-buffer-race", as_many_as_hold(wrong, receives_of("corrupt_bytes")));
    if (found.empty()) found.push_back(finding("recv-buffer-race", {}));
    found.front().detail = {"why.wrong_receive", {{"bytes", std::to_string(wrong)}}};
    return conclude(Verdict::corrupt, std::move(found.front()));
  }
  /// The first of them, no more than so many bytes need: the program has not said which.
  std::vector<trace::SpanId> as_many_as_hold(std::int64_t bytes, std::vector<trace::SpanId> receives) const {
    std::size_t needed = 0;
    for (; needed < receives.size() && bytes > 0; ++needed) bytes -= static_cast<std::int64_t>(trace().span(receives[needed]).bytes);
    receives.resize(needed);
    return receives;
  }
  /// Receives of the ranks that counted something under this name.
  std::vector<trace::SpanId> receives_of(std::string_view counted) const {
    std::vector<trace::SpanId> out;
    for (const trace::Metric& metric : trace().metrics()) {
      if (trace().name(metric.name) != counted || metric.value <= 0) continue;
      for (const trace::Message& message : trace().messages()) {
        const trace::Span& receive = trace().span(message.receive);
        if (trace().tracks()[receive.track].rank == metric.rank) out.push_back(message.receive);
      }
    }
    return out;
  }

  bool incomplete() {
    const int missing = request.ranks - evidence.finished_ranks;
    if (trace().spans().empty()) return no_verdict(Verdict::infra_error, {"why.empty", {}});
    if (missing > 0) {
      return no_verdict(Verdict::infra_error,
                        {"why.no_finalize", {{"missing", std::to_string(missing)}, {"ranks", std::to_string(request.ranks)}}});
    }
    if (const auto lost = trace().dropped(); lost > 0) {
      return no_verdict(Verdict::infra_error, {"why.dropped", {{"count", std::to_string(lost)}}});
    }
    if (auto leaks = analysis::leak_findings(trace()); !leaks.empty()) {
      for (Finding& leak : leaks) conclude(Verdict::fail, std::move(leak));
      return true;
    }
    std::size_t open = 0;
    for (std::size_t i = 0; i < trace().spans().size(); ++i) open += trace().spans()[i].open() ? 1 : 0;
    if (open > 0) return no_verdict(Verdict::infra_error, {"why.open_spans", {{"count", std::to_string(open)}}});
    return false;
  }

  bool miscomputed() {
    const auto error = program_metric(trace(), "grad_error");
    if (!error || *error <= kGradientTolerance) return false;
    return no_verdict(Verdict::fail, {"why.gradient", {{"error", fmt::format("{:.3g}", *error)},
                                                       {"limit", fmt::format("{:.0e}", kGradientTolerance)}}});
  }

  /// A strict run has no buffers that could save it.
  bool saved_by_buffers() {
    if (request.strict) return false;
    if (auto unsafe = analysis::strict_replay(trace())) return conclude(Verdict::unsafe, std::move(*unsafe));
    return false;
  }
};

/// Every rank came to its end: the last step in the trace is a whole one.
bool all_finished(const RunRequest& request, const Evidence& evidence) {
  return !evidence.deadlock && !evidence.cancelled && evidence.job.end == launch::JobEnd::finished && evidence.finished_ranks >= request.ranks;
}

/// " 0  /lib/libc.so.6(+0x42520) [0x7f52b8c42520]", as MPICH's transport prints a call stack.
bool is_stack_frame(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  return begin != std::string_view::npos && line[begin] >= '0' && line[begin] <= '9' && line.ends_with("]") && line.find(" [0x") != std::string_view::npos;
}

/// What mpiexec says about every job that ends badly, and UCX ("[host:pid:thread:tid] Caught signal 11 …") about every
/// crash: it repeats the signal, and no two runs have the same numbers.
bool is_banner(std::string_view line) {
  if (line.starts_with("[") && line.find("] Caught signal ") != std::string_view::npos) return true;
  return line.starts_with("=") || line.starts_with("YOUR APPLICATION TERMINATED WITH") || line.starts_with("This typically refers to a problem") ||
         line.starts_with("Please see the FAQ page");
}

}  // namespace

std::string last_words(std::string_view output) {
  constexpr std::string_view kBlank = "\r\n \t";
  constexpr std::size_t kShown = 400;  // bytes
  for (std::size_t end = output.find_last_not_of(kBlank); end != std::string_view::npos; end = output.find_last_not_of(kBlank)) {
    const std::size_t begin = output.find_last_of('\n', end) + 1;  // npos + 1 is 0
    const std::string_view line = output.substr(begin, end - begin + 1);
    if (!is_banner(line) && !is_stack_frame(line)) return std::string(line.substr(0, kShown));
    output = output.substr(0, begin);
  }
  return {};
}

const Promise* promise_for(const DemoManifest& demo, const RunRequest& request, std::optional<double> eager_limit_bytes,
                           const nlohmann::ordered_json& metrics) {
  const auto zero = [&](const std::string& name) { return name.empty() || (metrics.is_object() && metrics.contains(name) && metrics[name] == 0); };
  for (const Promise& promise : demo.promises) {
    if (zero(promise.only_if_zero) && hold(promise.when, request, eager_limit_bytes)) return &promise;
  }
  return nullptr;
}

RunResult judge(const DemoManifest& demo, const RunRequest& request, const Evidence& evidence) {
  RunResult result;
  result.metrics = metrics(demo, request, evidence.trace);
  if (result.metrics.contains("detect_ns") && evidence.deadlock) result.metrics["detect_ns"] = evidence.detect_ns;
  if (!all_finished(request, evidence)) forget_step(result.metrics);
  Judge judge{demo, request, evidence, result};
  if (!(judge.hung() || judge.unseen() || judge.stopped() || judge.limited() || judge.crashed() || judge.corrupted() || judge.swapped() || judge.incomplete() ||
        judge.miscomputed() || judge.saved_by_buffers())) {
    result.verdict = Verdict::pass;
  }
  use_words_of_the_field(evidence.trace, result.findings);
  const Promise* promise = promise_for(demo, request, program_metric(evidence.trace, "eager_limit_bytes"), result.metrics);
  result.as_promised = promise != nullptr && promise->verdict == result.verdict;
  if (result.as_promised) result.not_shown = not_shown(demo.expectations, request, result.metrics);
  if (result.not_shown && breaks_promise(*result.not_shown, request)) result.as_promised = false;
  if (promise != nullptr) {
    result.says = promise->says;
    result.promised = promise->verdict;
  }
  return result;
}

std::string verdict_id(const RunResult& result, Verdict verdict) {
  if (verdict != Verdict::corrupt || !result.metrics.is_object()) return "verdict." + std::string(analysis::to_string(verdict));
  const auto wrong = result.metrics.find("corrupt_bytes");
  const bool known = wrong != result.metrics.end();
  const bool intact = known && (wrong->is_object() ? (*wrong)["max"] == 0 : *wrong == 0);
  return intact ? "verdict.corrupt-intact" : "verdict.corrupt";
}
std::string verdict_id(const RunResult& result) { return verdict_id(result, result.verdict); }

std::vector<TextRef> warnings(const RunRequest& request, int cores, const nlohmann::ordered_json& metrics) {
  std::vector<TextRef> out;
  if (request.compute == "real" && cores < request.ranks) {
    out.push_back({"warning.few_cores", {{"ranks", std::to_string(request.ranks)}, {"cores", std::to_string(cores)}}});
  }
  if (metrics.contains("ranks_on_gpu")) out.push_back({"warning.shared_gpu", {{"ranks", std::to_string(metrics["ranks_on_gpu"].get<int>())}}});
  return out;
}

RunResult over_runs(const std::vector<RunResult>& runs) {
  RunResult out = runs.front();
  std::vector<nlohmann::ordered_json> metrics;
  for (const RunResult& run : runs) {
    metrics.push_back(run.metrics);
    out.as_promised = out.as_promised && run.as_promised;
    if (!out.not_shown) out.not_shown = run.not_shown;
    if (run.verdict == out.verdict || out.verdict == Verdict::unstable) continue;
    out.verdict = Verdict::unstable;
    out.findings = run.findings;
    out.as_promised = false;
  }
  out.metrics = over_runs(metrics);
  return out;
}

RunResult over_runs(const std::vector<RunResult>& runs, int wanted) {
  std::vector<RunResult> done;
  for (const RunResult& run : runs) {
    if (run.verdict != Verdict::not_run) done.push_back(run);
  }
  if (std::cmp_equal(done.size(), wanted)) return over_runs(done);
  RunResult out = done.empty() ? runs.front() : over_runs(done);
  out.verdict = Verdict::not_run;
  out.as_promised = false;
  out.findings.clear();
  out.why = {done.empty() ? "why.stopped_first" : "why.stopped", {{"done", std::to_string(done.size())}, {"wanted", std::to_string(wanted)}}};
  return out;
}

}  // namespace p2plab::check
