// How long the first frame took and how fast frames are drawn; printed with P2PLAB_GUI_TIMING=1.
#pragma once
#include <chrono>
#include <vector>

namespace p2plab::gui {

class Timing {
 public:
  Timing();
  /// Of a clock that starts with the process.
  double seconds() const;
  /// Told at once.
  void mark(const char* what);
  void frame_begins();
  /// What is to be drawn is decided; the renderer takes over.
  void frame_built();
  /// `live`: a run was under way.
  void frame_ends(bool live);
  void report() const;

 private:
  using Clock = std::chrono::steady_clock;
  bool on_ = false;
  Clock::time_point start_, frame_start_, built_;
  std::vector<double> frames_ms_, build_ms_, live_ms_;
  double first_live_ = 0, last_live_ = 0, longest_gap_ = 0;
};

}  // namespace p2plab::gui
