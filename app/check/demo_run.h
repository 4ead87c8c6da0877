// One run of a demo: started, watched live, judged. CLI and GUI drive the same object from one thread.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/analysis/wait_for.h"
#include "app/check/demo_manifest.h"
#include "app/content/text.h"
#include "app/launch/job.h"

namespace p2plab::check {

struct SimWitness;

/// The longest limit that a run may be given, s: a day.
constexpr int kMostSeconds = 24 * 60 * 60;

struct RunRequest {
  std::string demo;
  int ranks = 0;                       ///< 0: the manifest's
  std::string backend = "host", semantics = "mpi", link = "raw", compute = "paced";
  std::map<std::string, std::string> knobs;  ///< only those that were set
  bool strict = false;
  std::uint64_t seed = 1;
  double timeout_s = 60;
  std::filesystem::path program;       ///< another executable than the demo's own ("edit a copy and run it")
  std::filesystem::path links;         ///< other link presets than the lab's own; empty: those
  std::function<void(launch::JobSpec&)> adjust;  ///< limits, sandbox and folder of the job, before it starts; may be empty
};

/// Fills in defaults and refuses what is not legal: Error "run.unknown_demo", "run.unknown_knob", "run.bad_value",
/// "run.too_few_ranks", "run.unknown_backend", … with exit status 2.
RunRequest complete(const DemoManifest& demo, RunRequest request);

constexpr std::uint64_t kSimEagerLimit = 65536;  ///< of the virtual world; its ranks are told the same (demos/p2p/sim)
/// Knobs of the virtual world, beside the demo's own: backend `sim` takes them with every demo.
const std::vector<Knob>& world_knobs();
/// One of them; null when there is none of this id.
const Knob* world_knob(std::string_view id);

/// A knob's value as a number; accepts 64K, 1M, 4KiB for bytes.
std::optional<std::int64_t> parse_amount(std::string_view text);

struct RunResult {
  analysis::Verdict verdict = analysis::Verdict::not_run;
  bool as_promised = false;
  content::Twin says;                      ///< the promise's sentence
  std::optional<analysis::Verdict> promised;  ///< what was promised; nothing when no promise covers the run
  std::optional<NotShown> not_shown;   ///< why a run with the promised verdict is not as promised: its numbers say otherwise
  TextRef why;                         ///< reason of a verdict that no finding explains; id empty otherwise
  std::vector<analysis::Finding> findings;
  std::vector<TextRef> warnings;       ///< what distorts the numbers
  nlohmann::ordered_json metrics;      ///< names of CONTRACTS.md
  std::string machine_mpi;
  int cores = 0;
};

class DemoRun {
 public:
  /// Starts at once. Throws Error as launch::Job does.
  DemoRun(const launch::Installation& installation, const DemoManifest& demo, RunRequest request);
  ~DemoRun();

  /// Moves records into the trace, updates messages and the wait-for graph, ends the job on a proven deadlock.
  /// Never blocks. True when anything changed.
  bool poll(std::size_t budget = 65536);
  bool finished() const;
  /// How long to leave the ranks alone before the next poll.
  std::chrono::milliseconds rest() const;
  /// The job is over and the verdict is being thought about, which takes seconds on a large trace; ~DemoRun waits for it.
  bool judging() const;
  /// The learner stopped it: the trace so far is kept, the verdict is not-run. Ends the job; poll() takes in what is left.
  void cancel();

  const DemoManifest& demo() const;
  const RunRequest& request() const;
  const trace::Trace& trace() const;
  /// Once finished: gives the trace away, so that the job can go before the next begins. This run has none then.
  trace::Trace take_trace();
  /// Of the job, in shared memory.
  const std::filesystem::path& directory() const;
  const analysis::WaitForGraph& wait_for() const;
  const launch::RankOutput& output(int rank, bool standard_error) const;
  /// Complete once finished() is true; metrics so far before that.
  const RunResult& result() const;
  /// Of a finished run on the virtual clock: what its hub saw. Null of others.
  const SimWitness* witness() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The object of CONTRACTS.md "p2plab run", schema p2plab.run/1. With `text`, the findings' details are sentences in
/// its language; their ids and parameters stand beside them always, so that either language can be had later.
nlohmann::ordered_json to_json(const RunRequest& request, const DemoManifest& demo, const RunResult& result,
                               const content::Text* text = nullptr);
/// A knob's value: a number is a JSON number, also among the choices of a knob ("32"); a word stays a word ("off").
nlohmann::ordered_json knob_json(const std::string& value);
nlohmann::ordered_json to_json(const analysis::Finding& finding, const content::Text* text = nullptr);

/// The request of a saved run: a p2plab.run/1 object, as `--again` takes it. Throws Error "run.not_a_run" or
/// "run.broken_run" with the name of the file that it came from.
RunRequest request_from(const nlohmann::ordered_json& run, const std::string& file = "JSON");
/// The same from a saved trace.
RunRequest request_from(const trace::RunInfo& run);

}  // namespace p2plab::check
