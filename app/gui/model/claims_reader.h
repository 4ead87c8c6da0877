// The claims as the window knows them: which are listed, which one is open, and what its experiments have shown. An experiment
// runs as the same commands that the terminal takes; the window never waits for them.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/check/claim_run.h"
#include "app/content/claim.h"
#include "app/content/sources.h"
#include "app/trace/trace.h"

namespace p2plab::gui {

/// What has become of one setting of a claim since the window was opened.
struct ClaimState {
  enum class State { idle, running, done, failed };
  /// One command's picture.
  struct Shown {
    std::string command;
    std::string demo;                        ///< id; empty for a schedule on the virtual clock
    nlohmann::ordered_json metrics;
    std::unique_ptr<trace::Trace> trace;     ///< null when there is none to be read
    std::filesystem::path trace_file;
  };
  State state = State::idle;
  check::ClaimResult result;
  std::vector<Shown> shown;                  ///< empty again once another claim's experiment was started
  std::optional<TextRef> error;              ///< why it failed
  std::unique_ptr<check::ClaimRunner> runner;  ///< keeps the files
};

class ClaimsReader {
 public:
  explicit ClaimsReader(launch::Installation installation) : installation_(std::move(installation)) {}

  /// Read on the first call; null with error() when they cannot be.
  const content::Claims* claims();
  const std::vector<content::Source>& sources() const { return sources_; }
  const std::optional<TextRef>& error() const { return error_; }
  /// Those that are broken, once.
  std::vector<content::LeftOut> take_left_out() { return std::exchange(left_out_, {}); }

  // The list: what is looked for in id, wording and better sentence of both languages; topic 0 is all, then claims().topics().
  std::string query;
  std::size_t topic = 0;
  std::optional<content::ClaimVerdict> verdict;
  std::vector<const content::Claim*> listed();
  void next_topic();
  void next_verdict();

  /// Opens it; an unknown id sets error(). What runs goes on.
  void open(const std::string& id);
  void close() { claim_ = nullptr; ++generation_; }
  const content::Claim* claim() const { return claim_; }
  /// The one before or after among those listed; nullptr at the ends.
  const content::Claim* neighbour(int by);

  /// Null when that setting has not been run.
  const ClaimState* state(const content::Claim& claim, bool counter) const;
  /// Runs the open claim's experiment or counter-setting; what ran is ended.
  void run(bool counter, const std::string& backend, content::Language language);
  void stop();
  bool running() const { return run_ != nullptr; }
  bool running(const content::Claim& claim, bool counter) const { return run_ && of_ == Key{claim.id, counter}; }
  /// Commands done and all of what runs.
  std::pair<std::size_t, std::size_t> progress() const { return run_ ? std::pair{run_->done(), run_->commands()} : std::pair<std::size_t, std::size_t>{}; }
  /// Looks after the run; true when something changed. Never blocks.
  bool poll();

  /// Counts openings and runs: whoever remembers something of a page forgets it when this changes.
  int generation() const { return generation_; }
  /// Every character of the claims in both languages, for the fonts.
  std::string characters();

 private:
  using Key = std::pair<std::string, bool>;
  void take(ClaimState& state);
  void forget_pictures();

  launch::Installation installation_;
  std::optional<content::Claims> claims_;
  std::vector<content::Source> sources_;
  std::optional<TextRef> error_;
  std::vector<content::LeftOut> left_out_;
  const content::Claim* claim_ = nullptr;
  std::map<Key, ClaimState> states_;
  std::unique_ptr<check::ClaimRun> run_;
  Key of_;
  int generation_ = 0;
};

}  // namespace p2plab::gui
