// A long simulation says how far it is and how long it will take, and Ctrl-C ends it.
#pragma once
#include <chrono>
#include <cstdint>

#include "app/cli/context.h"
#include "app/launch/interrupt.h"

namespace p2plab::cli {

/// Thrown by SimProgress when somebody has asked to stop.
struct SimStopped {};

class SimProgress {
 public:
  explicit SimProgress(const Context& context);
  ~SimProgress();
  SimProgress(const SimProgress&) = delete;
  SimProgress& operator=(const SimProgress&) = delete;
  /// For check::SimRequest::watch. On a terminal one line on stderr that is renewed; elsewhere one line, once, where more
  /// than a minute is left.
  void operator()(std::int64_t done, std::int64_t all);

 private:
  using Clock = std::chrono::steady_clock;
  const Context& context_;
  const launch::Interrupt interrupt_;
  const bool terminal_;
  Clock::time_point begin_ = Clock::now(), said_ = begin_;
  std::int64_t last_ = 0;
  bool shown_ = false;
};

}  // namespace p2plab::cli
