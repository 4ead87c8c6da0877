// From what was seen of a run to its verdict. No evidence, no pass.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/check/demo_run.h"

namespace p2plab::check {

/// Everything that is known when a run has ended.
struct Evidence {
  const trace::Trace& trace;
  const launch::JobStatus& job;
  std::optional<analysis::Finding> deadlock;        ///< proven while the run stood still
  trace::Ns detect_ns = 0;                          ///< from the last rank's blocking to that proof
  int finished_ranks = 0;                           ///< ranks that have passed finalize
  bool cancelled = false;                           ///< the learner stopped it
  std::function<std::string(int rank)> last_words;  ///< last line a rank wrote to stderr; may be empty
  bool shm_full = false;                            ///< a rank could not record for want of shared memory
  bool left_waiting = false;                        ///< a rank had failed, the others waited for it, and the lab ended them
  std::string other_build{};                        ///< a library in a rank that does not fit this lab
  std::uint64_t file_limit = 0;                     ///< bytes of one file of a rank; 0: none
};

/// The last line of a program's stderr that is its own: neither blank nor of MPICH's banner or call stack.
std::string last_words(std::string_view output);

/// The promise that counts: the first whose conditions all hold; null when none does.
const Promise* promise_for(const DemoManifest& demo, const RunRequest& request, std::optional<double> eager_limit_bytes,
                           const nlohmann::ordered_json& metrics = nullptr);

/// Verdict, findings, metrics, and whether the demo has shown what it promised.
RunResult judge(const DemoManifest& demo, const RunRequest& request, const Evidence& evidence);

/// The text of the verdict: of bytes that arrived intact out of a changed buffer it does not say that they are corrupt.
std::string verdict_id(const RunResult& result);
/// The same of another verdict than its own: of the promised one.
std::string verdict_id(const RunResult& result, analysis::Verdict verdict);
/// Why the numbers of such a run are not what they seem, whatever the verdict.
std::vector<TextRef> warnings(const RunRequest& request, int cores, const nlohmann::ordered_json& metrics);

/// The verdict over several runs of one request: theirs if they agree, else `unstable`. Metrics become spreads.
RunResult over_runs(const std::vector<RunResult>& runs);
/// The same where `wanted` runs were asked for: `not-run` when the learner stopped them before, with the metrics of those
/// that were done.
RunResult over_runs(const std::vector<RunResult>& runs, int wanted);

}  // namespace p2plab::check
