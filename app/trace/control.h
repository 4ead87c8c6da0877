// The control page: one shared page per job through which the lab orders its ranks. There is no second channel.
#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "app/trace/clock.h"

namespace p2plab::trace {

constexpr std::uint64_t kControlMagic = 0x314C544E4C433250;  // "P2CLNTL1"
constexpr int kMaxControlledRanks = 256;

struct RankControl {
  std::atomic<std::int64_t> step_credits{-1};  ///< communication calls the rank may still make; -1: no limit
  std::atomic<std::int64_t> delay_ns{0};       ///< seeded delay before each communication call
};

/// "Wildcard receive or probe number `wildcard` of `rank` takes its message from `source`", a rank of its communicator.
struct ForcedMatch {
  std::int32_t rank = 0;
  std::int32_t wildcard = 0;
  std::int32_t source = 0;
};
constexpr std::uint32_t kMaxForced = 256;

/// What the profiling layer is to do in this run.
struct ProbeControl {
  std::uint32_t strict = 0;        ///< standard sends are synchronous, and so is every collective
  std::uint32_t hashes = 1;        ///< payloads are hashed at post and at completion
  std::uint32_t access = 0;        ///< buffers of active operations are watched
  std::uint32_t delay_us = 0;      ///< longest seeded delay before a communication call; 0: none
  std::uint32_t forced_count = 0;
  ForcedMatch forced[kMaxForced];
};

struct ControlPage {
  std::uint64_t magic = 0;
  std::uint64_t seed = 0;
  ClockScale clock;
  std::atomic<std::uint32_t> stop{0};     ///< the lab asks every rank to leave
  std::atomic<std::int32_t> aborted{0};   ///< ranks that have ended what their GPU still did
  std::int32_t ranks = 0;
  RankControl rank[kMaxControlledRanks];
  ProbeControl probe;
};

/// A mapped control page; shared between the lab and its ranks.
class Control {
 public:
  /// Makes DIR/control (the lab's side). Throws Error "job.shm_full" when the memory cannot be reserved.
  static Control create(const std::filesystem::path& dir, int ranks, std::uint64_t seed);
  /// Opens DIR/control (a rank's side).
  static Control open(const std::filesystem::path& dir);
  ControlPage& page() const { return *page_; }

 private:
  std::shared_ptr<ControlPage> page_;
};

}  // namespace p2plab::trace
