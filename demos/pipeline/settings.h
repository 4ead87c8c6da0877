// What was asked for: the knobs of demo.toml.
#pragma once
#include <chrono>
#include <string>

#include "demos/p2p/world.h"

struct Settings {
  std::string schedule, communication, transport;
  int microbatches = 8;            ///< m
  int samples = 4;                 ///< in one microbatch
  std::size_t bytes = 65536;       ///< of one message: activations, or their gradients, padded
  std::chrono::nanoseconds forward{}, backward{};
  int iterations = 2;
  int slow_stage = -1, slow_percent = 150;
  int freeze_stage = -1;
  std::chrono::nanoseconds freeze{};

  /// With microbatch_size set, the global batch stays as it is: m follows, and so do the time and the bytes of one microbatch.
  static Settings of(const p2p::World& world);
};
