// What the views show: the run under way or the last one, or a trace file; and the numbers of the run before, for
// comparison. Driven by one thread; a run that hangs, floods or crashes costs a bounded poll.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/check/demo_run.h"

namespace p2plab::gui {

/// Metrics of a finished run and what it ran under.
struct Finished {
  std::string demo;
  check::RunRequest request;
  nlohmann::ordered_json metrics;
};

class Session {
 public:
  explicit Session(launch::Installation installation) : installation_(std::move(installation)) {}

  /// Starts a run; what was shown before goes. A failure to start becomes error(). As cancel() and open() it waits for no verdict.
  void start(const check::DemoManifest& demo, const check::RunRequest& request);
  void cancel();
  /// Shows nothing any more, unless a run is under way; what to compare the next run with is kept.
  void clear();
  /// Shows a trace file; throws Error when it cannot be read.
  void open(const std::filesystem::path& file);
  /// True when anything changed. Never blocks.
  bool poll();

  bool running() const { return run_ && !run_->finished(); }
  bool finished() const { return run_ && run_->finished(); }
  /// The run as it was started; nullptr for an opened file or nothing.
  const check::DemoRun* run() const { return run_.get(); }
  /// Null while there is nothing to show.
  const trace::Trace* trace() const;
  const analysis::WaitForGraph* wait_for() const;
  /// Complete after the end; metrics so far before.
  const check::RunResult* result() const { return run_ ? &run_->result() : nullptr; }
  const std::optional<TextRef>& error() const { return error_; }
  /// Why the last attempt could not start, or nothing.
  void set_error(TextRef error) { error_ = std::move(error); }
  void clear_error() { error_.reset(); }
  /// The finished run of this demo before the one shown, under other knobs.
  const Finished* previous() const;
  const std::filesystem::path& file() const { return file_; }
  /// Counts starts and openings: a view that remembers something forgets it when this changes.
  int generation() const { return generation_; }
  const launch::Installation& installation() const { return installation_; }

 private:
  /// Shows the run no more; its job ends.
  void leave();

  launch::Installation installation_;
  std::unique_ptr<check::DemoRun> run_;
  std::vector<std::unique_ptr<check::DemoRun>> being_judged_;  ///< left while their verdict was thought about: they go when it is there
  std::unique_ptr<trace::Trace> opened_;
  std::optional<analysis::WaitForGraph> opened_graph_;
  std::filesystem::path file_;
  std::optional<TextRef> error_;
  std::map<std::string, Finished> last_, before_;
  bool remembered_ = true;
  int generation_ = 0;
};

}  // namespace p2plab::gui
