// Measurements of the window itself.
#include "app/gui/timing.h"

#include <ctime>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace p2plab::gui {
namespace {

/// Seconds since this process was started, from /proc (field 22 of stat, in ticks since boot).
double process_age() {
  std::ifstream in("/proc/self/stat");
  std::string text((std::istreambuf_iterator<char>(in)), {});
  const auto after = text.rfind(')');
  if (after == std::string::npos) return 0;
  std::size_t at = after + 2;
  for (int field = 3; field < 22 && at != std::string::npos; ++field) at = text.find(' ', at) + 1;
  const double started = std::strtod(text.c_str() + at, nullptr) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return std::max(0.0, static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9 - started);
}

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto at = std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

}  // namespace

Timing::Timing() : on_(std::getenv("P2PLAB_GUI_TIMING") != nullptr), start_(Clock::now()) {
  if (on_) start_ -= std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(process_age()));
}

double Timing::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Timing::mark(const char* what) {
  if (on_) std::fprintf(stderr, "%-12s %8.1f ms\n", what, seconds() * 1e3);
}

void Timing::frame_begins() { frame_start_ = Clock::now(); }

void Timing::frame_built() { built_ = Clock::now(); }

void Timing::frame_ends(bool live) {
  if (!on_) return;
  if (frames_ms_.empty()) mark("first frame");
  const double took = std::chrono::duration<double, std::milli>(Clock::now() - frame_start_).count();
  frames_ms_.push_back(took);
  build_ms_.push_back(std::chrono::duration<double, std::milli>(built_ - frame_start_).count());
  if (!live) return;
  live_ms_.push_back(took);
  const double now = seconds();
  if (live_ms_.size() == 1) first_live_ = now;
  else longest_gap_ = std::max(longest_gap_, now - last_live_);
  last_live_ = now;
}

void Timing::report() const {
  if (!on_) return;
  std::fprintf(stderr, "%zu frames, median %.1f ms, of it %.1f ms before the renderer; 99 %% %.1f ms\n", frames_ms_.size(),
               percentile(frames_ms_, 0.5), percentile(build_ms_, 0.5), percentile(frames_ms_, 0.99));
  if (live_ms_.size() > 1)
    std::fprintf(stderr, "while a run was under way: %.1f frames a second, median %.1f ms, 99 %% %.1f ms, longest gap %.0f ms\n",
                 static_cast<double>(live_ms_.size() - 1) / std::max(1e-9, last_live_ - first_live_), percentile(live_ms_, 0.5),
                 percentile(live_ms_, 0.99), longest_gap_ * 1e3);
}

}  // namespace p2plab::gui
