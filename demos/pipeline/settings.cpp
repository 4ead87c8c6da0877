// Reads the knobs, and scales them when the size of a microbatch is chosen instead of their number.
#include "demos/pipeline/settings.h"

#include <algorithm>

namespace {

constexpr int kSamples = 4;  ///< forward_us, backward_us and bytes are meant for a microbatch of this many samples

/// A part of each microbatch's time does not shrink with it (launches, small matrices): why tiny microbatches do not pay.
std::chrono::nanoseconds scaled(std::chrono::nanoseconds whole, std::chrono::nanoseconds fixed, int samples) {
  fixed = std::min(fixed, whole);
  return fixed + (whole - fixed) * samples / kSamples;
}

}  // namespace

Settings Settings::of(const p2p::World& world) {
  using std::chrono::microseconds, std::chrono::milliseconds;
  const auto number = [&](std::string_view id, std::int64_t fallback) { return static_cast<int>(world.knob(id, fallback)); };
  Settings s;
  s.schedule = world.knob("schedule", "1f1b");
  s.communication = world.knob("communication", "overlapped");
  s.transport = world.knob("transport", "p2p");
  s.microbatches = number("microbatches", 8);
  s.samples = kSamples;
  s.bytes = static_cast<std::size_t>(world.knob("bytes", std::int64_t{65536}));
  s.forward = microseconds(number("forward_us", 4000));
  s.backward = microseconds(number("backward_us", 8000));
  s.iterations = number("iterations", 2);
  s.slow_stage = number("slow_stage", -1);
  s.slow_percent = number("slow_percent", 150);
  s.freeze_stage = number("freeze_stage", -1);
  s.freeze = milliseconds(number("freeze_ms", 20));

  if (const std::string size = world.knob("microbatch_size", "off"); size != "off") {
    const int global_batch = number("global_batch", 32);
    const microseconds fixed(number("fixed_us", 400));
    s.samples = std::min(std::stoi(size), global_batch);
    s.microbatches = global_batch / s.samples;
    s.forward = scaled(s.forward, fixed, s.samples);
    s.backward = scaled(s.backward, fixed, s.samples);
    s.bytes = s.bytes * static_cast<std::size_t>(s.samples) / kSamples;
  }
  return s;
}
