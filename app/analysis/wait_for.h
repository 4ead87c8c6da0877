// The wait-for graph over all tracks of a run, live. An edge is drawn from a blocked track to what it waits for.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/analysis/finding.h"

namespace p2plab::analysis {

/// One thing a blocked track waits for: it is enough that any of `tracks` moves.
struct Requirement {
  trace::SpanId operation = trace::kNoIndex;  ///< the send, receive or collective that is not done
  int peer_rank = trace::kNone;               ///< the rank whose call is missing; kNone for a lane of its own rank
  std::vector<trace::TrackId> tracks;         ///< who could release it; empty: nobody any more (the rank has left)
};

/// A track that stands still. It needs all of `needs`, or any of them when `any` is set.
struct WaitNode {
  trace::TrackId track = 0;
  trace::SpanId span = trace::kNoIndex;  ///< the call it stands in; kNoIndex for an idle worker
  bool any = false;
  std::vector<Requirement> needs;        ///< unsatisfied ones only
  std::uint64_t polls = 0;
};

struct WaitForGraph {
  trace::Ns at = 0;
  std::vector<WaitNode> nodes;               ///< blocked tracks
  std::vector<trace::TrackId> stuck;         ///< tracks that nothing can ever release; empty: no deadlock
  std::vector<trace::TrackId> cycle;         ///< a shortest cycle among them in order; empty if they wait for a rank that has left
};

/// The graph as the trace stands now. Pure: same trace, same graph. (DESIGN, "The wait-for graph")
WaitForGraph wait_for_graph(const trace::Trace& trace);
/// The same with polling taken for waiting: what would be stuck if the program did nothing but go on looking.
WaitForGraph polling_graph(const trace::Trace& trace);

/// How long a stuck set has to stand before it is believed (a program that always finishes was once seen with both ranks
/// inside the same eager send). On a virtual clock this is what stands between the last blocking and the proof.
constexpr trace::Ns kStandstillNs = 10'000'000;

/// Watches a live trace and declares a deadlock when the same stuck set has stood long enough: each of its tracks has
/// polled 100 times over 10 ms after the newest record of the whole set.
class DeadlockWatch {
 public:
  DeadlockWatch();
  ~DeadlockWatch();
  DeadlockWatch(DeadlockWatch&&) noexcept;
  DeadlockWatch& operator=(DeadlockWatch&&) noexcept;
  /// Call after each poll of the feed. Returns the finding once, at the moment of proof. `standstill`: whoever owns the
  /// virtual clock said, before that poll, that nobody can ever go on; then what stands needs no time to be believed.
  std::optional<Finding> update(const trace::Trace& trace, bool standstill = false);
  const WaitForGraph& graph() const;
  /// From the last rank's blocking to the proof, ns; 0 before it.
  trace::Ns detect_ns() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Watches for ranks that do nothing but poll for what can never come (DESIGN: `livelock`).
class LivelockWatch {
 public:
  explicit LivelockWatch(trace::Ns patience_ns = 5'000'000'000);
  ~LivelockWatch();
  /// Call now and then. The finding, *possible*, while the standstill lasts: a program that polls may give up by itself.
  std::optional<Finding> update(const trace::Trace& trace);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The finding for a stuck set: one site per rank involved, in cycle order.
Finding deadlock_finding(const trace::Trace& trace, const WaitForGraph& graph);

}  // namespace p2plab::analysis
