// Step mode: every rank is held before each communication call; the learner lets them go one by one.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/launch/job.h"
#include "app/trace/trace.h"

namespace p2plab::check {

/// Orders for the ranks of one job, through its control page.
class StepControl {
 public:
  /// Before the job starts: nobody makes a communication call without leave.
  static void hold(trace::ControlPage& page, int ranks);
  /// Of a job that was started so.
  explicit StepControl(const std::filesystem::path& job) : control_(trace::Control::open(job)) {}
  /// One call more for this rank.
  void release(int rank);
  /// Nobody is held any more.
  void release_all();

 private:
  trace::Control control_;
};

/// Where a rank stands.
struct Stand {
  enum class State { starting, held, waiting, running, ended } state = State::starting;
  int rank = 0;
  std::string call, site;      ///< it stands in, or made last
  std::string next;            ///< where the call is that it is held before; empty where that is not known
  std::vector<int> waits_for;  ///< ranks one call of which would release it
};

std::vector<Stand> stands(const trace::Trace& trace, int ranks);

}  // namespace p2plab::check
