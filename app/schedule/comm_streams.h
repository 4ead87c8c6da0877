// Messages above the eager limit: none leaves before its receive is posted. Each stage sends on one stream and receives on
// another, as `overlapped` in demos/pipeline does: the next send is posted when the one before has left, the next receive
// when the one before has arrived. The hub (hub.h) has the same rule, so that both agree to the tick.
#pragma once
#include <cstddef>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <set>
#include <tuple>
#include <vector>

#include "app/schedule/costs.h"

namespace p2plab::schedule {

/// A message as the engine knows it: the ring and the key under which its receiver looks for it.
struct Asking {
  std::size_t ring = 0;
  std::int64_t key = 0;
  std::int32_t from = 0, to = 0;  ///< stages
  Ns made = 0;
};

/// A message on its way: `left` its sender's port, there at `arrived`.
struct Travelling {
  Asking message;
  Ns left = 0, arrived = 0;
};

class CommStreams {
 public:
  static constexpr Ns kNever = std::numeric_limits<Ns>::max();
  /// What a stage receives next, in the order of its actions; nothing once all has been received.
  using NextReceive = std::function<std::optional<Asking>(int stage)>;

  /// `wire`: how long a message holds the ports, 0 where ports are not counted; `leaves`: until its sender has it off its hands.
  CommStreams(int stages, Ns wire, Ns leaves, NextReceive next);
  /// A stage hands over a message at `message.made`, now.
  void made(const Asking& message);
  /// When something next changes without a stage's doing; kNever if nothing does.
  Ns next() const { return later_.empty() ? kNever : later_.top().when; }
  /// What arrives at this instant; senders whose message has left go on.
  std::vector<Travelling> arrivals(Ns now);
  /// Posts what can be posted now, lower stages first, and starts what then matches; `delay` from leaving to arriving.
  std::vector<Travelling> post(Ns now, const std::function<Ns(const Asking&)>& delay);
  /// The message that a stage would send next, and the one that it wants next: what a standstill is made of.
  std::optional<Asking> sends(int stage) const { return at(stage).send; }
  std::optional<Asking> wants(int stage) const { return at(stage).receive; }

 private:
  struct Stage {
    std::deque<Asking> out;             ///< made, not yet posted
    std::optional<Asking> send, receive;  ///< posted
    bool sending = false, receiving = false;  ///< matched, on the way
    Ns send_free = 0, receive_free = 0;
  };
  struct Later {
    Ns when;
    std::uint64_t sequence;
    int stage;
    std::optional<Travelling> arrives;  ///< else the stage's message has left
    bool operator>(const Later& other) const { return std::tie(when, sequence) > std::tie(other.when, other.sequence); }
  };
  Stage& at(int stage) { return stages_[static_cast<std::size_t>(stage)]; }
  const Stage& at(int stage) const { return stages_[static_cast<std::size_t>(stage)]; }

  std::vector<Stage> stages_;
  Ns wire_, leaves_;
  NextReceive next_;
  std::priority_queue<Later, std::vector<Later>, std::greater<>> later_;
  std::uint64_t sequence_ = 0;
  std::set<int> changed_;  ///< stages that may have something to post
};

}  // namespace p2plab::schedule
