// What a schedule is given to run on: how long F, B and W take on each stage, and what a message costs.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "app/schedule/schedule.h"

namespace p2plab::schedule {

using Ns = std::int64_t;

/// Of one microbatch on all chunks of a stage together; a chunk takes its share. The whole backward pass is input + weight.
struct StageTime {
  Ns forward = 0, input = 0, weight = 0;
  bool operator==(const StageTime&) const = default;
};

/// A message of n bytes is with the receiver latency + n/beta after it was sent. It keeps a port of the sender and one of
/// the receiver busy for n/beta; with `ports` a port carries one message at a time, in the order in which they became ready
/// (ties: the lower stage). The sender's compute is never held. Up to the eager limit it does not matter when the receive is
/// posted; above it a message waits for that (comm_streams.h).
struct LinkCost {
  Ns latency_ns = 0;
  Ns hop_ns = 0;            ///< for each stage that the message passes on its way, stages standing in a row
  double bytes_per_s = 0;   ///< 0: the wire takes no time
  std::uint64_t bytes = 0;  ///< of one message: the activation, or its gradient
  /// A larger message asks first (rendezvous): it waits for its receive, and pays two more latencies.
  std::uint64_t eager_limit = std::numeric_limits<std::uint64_t>::max();
  bool ports = true;

  bool asks() const { return bytes > eager_limit; }
  /// n/beta, rounded to ns. Throws Error "sim.overflow".
  Ns wire_ns() const;
  /// From sent to arrived between two stages, the wire included; 0 on one and the same stage.
  Ns delay_ns(int from, int to) const;
  /// All-reduce of one message's bytes over all stages as a ring: 2(p-1) latencies, 2(p-1)/p of the bytes.
  Ns meeting_ns(int stages) const;
};

struct Costs {
  /// One for all stages, or one per stage, or one per stage and microbatch (index stage * m + microbatch).
  std::vector<StageTime> times{StageTime{}};
  LinkCost link;
  Ns optimizer_ns = 0;          ///< after the last action of each iteration
  bool optimizer_sync = false;  ///< and only once all stages have come so far
  double weight_memory = 1;     ///< share of an activation that is kept from B to W

  bool uniform() const { return times.size() == 1; }
  const StageTime& of(int stage, int microbatch, int stages) const;
};

/// Sum that throws Error "sim.overflow" rather than wrap.
Ns add(Ns a, Ns b);
/// Share `index` of `parts` of a duration; the shares sum to the whole exactly.
Ns share(Ns whole, int index, int parts);

}  // namespace p2plab::schedule
