// See sim_progress.h.
#include "app/cli/sim_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

namespace p2plab::cli {

namespace {

constexpr std::chrono::milliseconds kFirst{1000}, kEach{500};
constexpr double kLong = 60;  ///< s

std::string roughly(const Context& context, double seconds) {
  if (seconds < 100) return context("sim.seconds", {{"n", fmt::format("{:.0f}", seconds)}});
  if (seconds < 6000) return context("sim.minutes", {{"n", fmt::format("{:.0f}", seconds / 60)}});
  return context("sim.hours", {{"n", fmt::format("{:.1f}", seconds / 3600)}});
}

}  // namespace

SimProgress::SimProgress(const Context& context) : context_(context), terminal_(::isatty(STDERR_FILENO) == 1) {}

SimProgress::~SimProgress() {
  if (terminal_ && shown_) std::cerr << "\r\033[K" << std::flush;
}

void SimProgress::operator()(std::int64_t done, std::int64_t all) {
  if (interrupt_.asked()) throw SimStopped{};
  const auto now = Clock::now();
  if (done < last_) begin_ = now;  // another run
  last_ = done;
  const double spent = std::chrono::duration<double>(now - begin_).count();
  if (now - begin_ < kFirst || now - said_ < kEach || (shown_ && !terminal_)) return;
  const double rate = static_cast<double>(done) / spent, left = static_cast<double>(all - done) / rate;
  if (!terminal_ && left < kLong) return;
  said_ = now;
  shown_ = true;
  const std::string line = context_("sim.progress", {{"percent", fmt::format("{:.1f}", 100.0 * static_cast<double>(done) / static_cast<double>(all))},
                                                     {"actions", fmt::format("{:.3g}", static_cast<double>(all))},
                                                     {"rate", fmt::format("{:.1f}", rate / 1e6)}, {"left", roughly(context_, left)}});
  std::cerr << (terminal_ ? "\r" : "") << line << (terminal_ ? "\033[K" : "\n") << std::flush;
}

}  // namespace p2plab::cli
