// Runs the experiment of a claim, with the same program as `p2plab run` and `p2plab sim`, and says what came of it.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/content/claim.h"
#include "app/content/text.h"
#include "app/launch/installation.h"
#include "app/launch/job.h"

namespace p2plab::check {

struct ClaimRequest {
  std::string backend = "sim";      ///< of demos: "host" for the claims that allow it, the others stay on sim
  std::uint64_t seed = 1;
  bool counter = false;             ///< the counter-setting instead of the claim's own
  bool pictures = false;            ///< keep a picture of each run
  bool traces = false;              ///< keep the trace of each run, as long as the runner lives
  std::function<bool()> stop;       ///< asked now and then by ClaimRunner::run; true ends it. May be empty
};

struct ClaimResult {
  const content::Claim* claim = nullptr;
  bool counter = false;
  content::ClaimOutcome outcome = content::ClaimOutcome::not_shown_here;
  content::ClaimOutcome wanted = content::ClaimOutcome::not_shown_here;  ///< by the declared verdict; for a counter-setting the opposite of it, or that its own sentence is confirmed
  nlohmann::ordered_json number;    ///< as in the JSON of the runs (ns, bytes, ratios), or a word; null where there is none
  std::string shown;                ///< the same as people read it: "1.94 ×", "27.3 %", "deadlock"
  std::map<std::string, std::string> also;  ///< the further numbers, as people read them
  std::string backend;              ///< "sim" or "host"; empty where only `sim` of a schedule ran
  std::string asked = "sim";        ///< the backend that was asked for
  std::vector<std::string> commands;  ///< as typed
  std::vector<std::string> pictures;  ///< SVG
  std::vector<std::filesystem::path> traces;
  std::vector<nlohmann::ordered_json> runs;  ///< what each command said
  TextRef why;                      ///< why it is not shown here; id empty otherwise
  bool stopped = false;             ///< before it was done
  /// The setting that was run; none without an experiment.
  const std::optional<content::Experiment>& experiment() const { return counter ? claim->counter : claim->experiment; }
  /// `outcome` is about the counter-setting's own sentence, not about the claim.
  bool other_sentence() const { return counter && claim->counter && !claim->counter->says.empty(); }
  /// Real MPI was asked for, and a demo ran on the virtual clock: the effect needs hardware that cannot be counted on.
  bool stayed_on_sim() const { return asked == "host" && backend == "sim"; }
  /// Only a schedule was computed, as it always is.
  bool schedule_only() const { return backend.empty() && !runs.empty(); }
  /// It came out as declared; what is not shown here is neither.
  bool as_declared() const { return outcome == wanted || outcome == content::ClaimOutcome::not_shown_here; }
};

/// What commands have said so far, and the folder of their files, which goes with it.
class ClaimRunner {
 public:
  ClaimRunner(const launch::Installation& installation, content::Language language);
  ~ClaimRunner();
  ClaimRunner(const ClaimRunner&) = delete;
  ClaimRunner& operator=(const ClaimRunner&) = delete;

  /// Runs to the end. Throws Error "claim.no_counter", "claim.bad_backend" (or what `p2plab run` says of a backend that is not here), "claim.failed" (status 3: the run ended without a
  /// number), and what launch::Job throws. A command that was run before is not run again.
  ClaimResult run(const content::Claim& claim, const ClaimRequest& request);

 private:
  friend class ClaimRun;
  struct Done {
    nlohmann::ordered_json json;
    std::string picture;
    std::filesystem::path trace;
  };
  launch::Installation installation_;
  content::Language language_;
  std::filesystem::path folder_;
  std::map<std::vector<std::string>, Done> done_;
  int count_ = 0;
};

/// One experiment under way: its commands run one after the other, and nobody waits for them. `runner` and `claim` must
/// outlive it; throws as ClaimRunner::run does.
class ClaimRun {
 public:
  ClaimRun(ClaimRunner& runner, const content::Claim& claim, ClaimRequest request);
  /// Looks after it and starts what is next; false once it is over. Never blocks.
  bool poll();
  /// Ends it; the result is then marked as stopped.
  void cancel();
  /// Complete once poll() is false.
  const ClaimResult& result() const { return result_; }
  /// How many commands have run, and how many there are.
  std::size_t done() const { return result_.runs.size(); }
  std::size_t commands() const { return words_.size(); }

 private:
  void start(const std::vector<std::string>& words);
  void take(const ClaimRunner::Done& done);
  void judge();
  [[noreturn]] void no_number(const std::string& metric) const;

  ClaimRunner& runner_;
  ClaimRequest request_;
  const content::Experiment* experiment_ = nullptr;
  ClaimResult result_;
  std::vector<std::vector<std::string>> words_;
  std::optional<launch::Job> job_;
  ClaimRunner::Done running_;
  std::filesystem::path json_, picture_;
  bool over_ = false;
};

/// A number of an experiment in its unit: "1.94 ×", "27.3 %", "33 ms".
std::string claim_number(double value, const std::string& unit);

/// The value at a path of keys, indices and rows: "metrics.peak_in_flight.0", "metrics.table[bytes=1024,algorithm=send].time_ns";
/// null when there is none.
nlohmann::ordered_json value_in(const nlohmann::ordered_json& json, std::string_view path);

/// Whether the verdict of a run speaks for or against a claim: it is the one that the demo promises. A crash, of which
/// "= pass" and "= deadlock" are both wrong, speaks for nothing.
bool is_evidence(const nlohmann::ordered_json& run);

/// The object of one result in the JSON of `p2plab claim run`.
nlohmann::ordered_json to_json(const ClaimResult& result);

}  // namespace p2plab::check
