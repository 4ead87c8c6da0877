// Messages above the eager limit: none leaves before its receive is posted. Each stage sends on one stream and receives on
// another, as `overlapped` in demos/pipeline does: the next send is posted when the one before has left, the next receive
// when the one before has arrived. The hub (hub.h) has the same rule, so that both agree to the tick.
#pragma once
#include <cstddef>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "app/schedule/costs.h"
#include "app/schedule/later_queue.h"

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
  Ns next() const { return left_.empty() ? later_.next() : left_at_; }
  /// The stages that a message reaches at this instant; senders whose message has left go on. Good until the next call.
  const std::vector<int>& arrivals(Ns now);
  /// Posts what can be posted now, lower stages first, and starts what then matches, for these stages; `delays` by
  /// ring, from leaving to arriving. Good until the next call.
  const std::vector<int>& post(Ns now, const std::vector<Ns>& delays);
  /// The message that last set out for a stage.
  const Travelling& arriving(int stage) const { return at(stage).arriving; }
  /// The message that a stage would send next, and the one that it wants next: what a standstill is made of.
  std::optional<Asking> sends(int stage) const { return at(stage).send; }
  std::optional<Asking> wants(int stage) const { return at(stage).receive; }

 private:
  struct Stage {
    std::deque<Asking> out;             ///< made, not yet posted
    std::optional<Asking> send, receive;  ///< posted
    bool sending = false, receiving = false;  ///< matched, on the way
    Travelling arriving;                  ///< while it receives, and after
    Ns send_free = 0, receive_free = 0;
  };
  struct Later {
    int stage;
    bool arrives;  ///< else the stage's message has left
  };
  void match(Ns now, int from, int to, const std::vector<Ns>& delays);
  void post_of(Ns now, int stage, const std::vector<Ns>& delays);
  void change(int stage) { changed_[static_cast<std::size_t>(stage) / 64] |= std::uint64_t{1} << (stage % 64); }
  Stage& at(int stage) { return stages_[static_cast<std::size_t>(stage)]; }
  const Stage& at(int stage) const { return stages_[static_cast<std::size_t>(stage)]; }

  std::vector<Stage> stages_;
  Ns wire_, leaves_;
  NextReceive next_;
  LaterQueue<Later> later_;
  std::vector<int> left_;  ///< whose message left at once, at `left_at_`: they go on at the same instant, after all else
  Ns left_at_ = 0;
  std::vector<std::uint64_t> changed_;  ///< stages that may have something to post, a bit each
  std::vector<int> told_;
};

}  // namespace p2plab::schedule
