// From what every thread is seen doing to the wait-for graph, and from a graph that stands to the proof of a deadlock.
#include "app/analysis/wait_for.h"

#include <algorithm>

#include "app/analysis/deadlock.h"
#include "app/analysis/operations.h"
#include "app/analysis/stuck.h"

namespace p2plab::analysis {

using trace::kNoIndex;
using trace::kNone;
using trace::Ns;
using trace::Span;
using trace::SpanId;
using trace::ThreadSample;
using trace::ThreadState;
using trace::Trace;
using trace::TrackId;

namespace {

TrackId track_of(const Trace& trace, int rank, trace::NameId lane) { return trace.find_track(rank, trace.name(lane)); }

class GraphBuilder {
 public:
  GraphBuilder(const Trace& trace, const Operations& operations, bool polling = false)
      : trace_(trace), operations_(operations), polling_(polling) {
    threads_.resize(static_cast<std::size_t>(std::max(0, trace.ranks())));
    moving_.resize(trace.tracks().size());
  }

  WaitForGraph build() {
    const bool standing = std::any_of(trace_.threads().begin(), trace_.threads().end(), [&](const ThreadSample& thread) { return stands(thread); });
    WaitForGraph graph;
    graph.at = trace_.now();
    if (!standing) return graph;

    for (const ThreadSample& thread : trace_.threads()) {
      const TrackId track = track_of(trace_, thread.rank, thread.lane);
      if (track == kNoIndex) continue;
      Rank& rank = threads_[static_cast<std::size_t>(thread.rank)];
      rank.seen = true;
      rank.started.push_back(track);
      if (thread.state == ThreadState::exited) continue;
      rank.tracks.push_back(track);
      rank.idle.push_back(thread.state == ThreadState::idle);
    }
    for (const ThreadSample& thread : trace_.threads()) add(graph, thread);
    find_stuck(graph, std::move(moving_));
    return graph;
  }

 private:
  bool stands(const ThreadSample& thread) const {
    return thread.state == ThreadState::blocked || (polling_ && thread.state == ThreadState::polling);
  }

  struct Rank {
    bool seen = false;
    std::vector<TrackId> started;  ///< of all threads there have been
    std::vector<TrackId> tracks;   ///< of threads that may still call
    std::vector<bool> idle;
  };

  void add(WaitForGraph& graph, const ThreadSample& thread) {
    const TrackId track = track_of(trace_, thread.rank, thread.lane);
    if (track == kNoIndex || thread.state == ThreadState::exited) return;
    WaitNode node;
    node.track = track;
    node.polls = thread.polls;
    node.span = stands(thread) ? thread.wait_span : kNoIndex;
    if (thread.state == ThreadState::idle && thread.owner != 0) {
      need_owner(node, thread);
    } else if (thread.state == ThreadState::parked) {
      node.any = true;
      need_post(node, thread.rank, nullptr);  // any other thread of the rank may wake it
    } else if (node.span == kNoIndex || !needs_of_call(node, thread.rank)) {
      moving_[track] = true;  // it runs, or nothing says what it waits for
      return;
    }
    graph.nodes.push_back(std::move(node));
  }

  void need_owner(WaitNode& node, const ThreadSample& thread) const {
    const TrackId owner = track_of(trace_, thread.rank, thread.owner);
    if (owner == kNoIndex || !started(thread.rank, owner)) return;
    Requirement need;
    if (alive(thread.rank, owner)) need.tracks.push_back(owner);
    node.needs.push_back(std::move(need));
  }

  bool started(int rank, TrackId track) const {
    const auto& tracks = threads_[static_cast<std::size_t>(rank)].started;
    return std::find(tracks.begin(), tracks.end(), track) != tracks.end();
  }

  bool alive(int rank, TrackId track) const {
    const auto& tracks = threads_[static_cast<std::size_t>(rank)].tracks;
    return std::find(tracks.begin(), tracks.end(), track) != tracks.end();
  }

  // False when the trace does not say what the call waits for.
  bool needs_of_call(WaitNode& node, int rank) const {
    const Span& span = trace_.span(node.span);
    if (!span.open()) return false;  // it is over; the sample is older than the records
    node.any = (span.flags & trace::kAny) != 0;
    bool known = false;
    bool released = false;  // something it waits for is done or under way
    const auto take = [&](bool needed) {
      known = true;
      released = released || !needed;
    };
    if (span.kind == trace::Kind::collective) take(need_all_ranks(node, node.span, rank));
    bool listed = span.kind == trace::Kind::collective;
    for (const trace::WaitTarget& target : operations_.targets(node.span)) {
      listed = listed || (target.request >= 0 && target.request == span.request);
      if (target.comm != 0) {
        take(need_message(node, rank, target));
      } else if (target.request >= 0) {
        take(need_request(node, rank, target.request));
      } else if (target.track != kNoIndex) {
        take(!reached(rank, target.event) && need_lane(node, rank, target.track));
      } else {
        return false;
      }
    }
    if (span.request >= 0 && !listed) take(need_request(node, rank, span.request));
    if (span.kind == trace::Kind::wait && trace_.name(span.name).starts_with("MPI_Buffer_detach")) take(need_buffered(node, rank));
    if (node.any && released) node.needs.clear();
    return known;
  }

  // Each need_…() adds what is missing and says whether anything is: not when the thing is done, matched (bytes are
  // moving), or up to a rank or a thread that has not been heard of yet.

  bool need_request(WaitNode& node, int rank, std::int32_t request) const {
    const Operation* operation = operations_.find(rank, request);
    if (operation == nullptr || operation->in_flight == kNoIndex) return need_post(node, rank, operation);
    const Span& span = trace_.span(operation->in_flight);
    if (!span.open() || (operation->matched && !operations_.only_taken(trace_, operation->in_flight))) return false;
    if (span.kind == trace::Kind::collective) return need_all_ranks(node, operation->in_flight, rank);
    if (span.peer != kNone) return need_rank(node, span.peer, operation->in_flight);
    return need_any_source(node, operation->in_flight, span.comm);
  }

  bool need_any_source(WaitNode& node, SpanId operation, trace::NameId comm) const {
    Requirement any_source;
    any_source.operation = operation;
    const std::vector<int>* members = trace_.members(comm);
    for (std::size_t r = 0; r < threads_.size(); ++r) {
      if (members != nullptr && std::find(members->begin(), members->end(), static_cast<int>(r)) == members->end()) continue;
      if (!threads_[r].seen) return false;
      for (const TrackId track : threads_[r].tracks) {
        if (track != node.track) any_source.tracks.push_back(track);  // who stands here sends nothing
      }
    }
    node.needs.push_back(std::move(any_source));
    return true;
  }

  // Detaching the buffer: all buffered messages, which are complete for the program long before they have left.
  bool need_buffered(WaitNode& node, int rank) const {
    bool needed = false;
    for (const SpanId send : operations_.unmatched(trace_)) {
      const Span& span = trace_.span(send);
      const std::string& call = trace_.name(span.name);
      const bool buffered = call.starts_with("MPI_Bsend") || call.starts_with("MPI_Ibsend");
      if (buffered && trace_.tracks()[span.track].rank == rank) needed = need_rank(node, span.peer, send) || needed;
    }
    return needed;
  }

  // A probe: nothing is missing once a message that fits is on its way.
  bool need_message(WaitNode& node, int rank, const trace::WaitTarget& target) const {
    if (operations_.waiting_send(rank, target) != kNoIndex) return false;
    return target.peer != kNone ? need_rank(node, target.peer, node.span) : need_any_source(node, node.span, target.comm);
  }

  // A request that is not posted yet: another lane of the rank has it in its queue.
  bool need_post(WaitNode& node, int rank, const Operation* operation) const {
    Requirement need;
    if (operation != nullptr) need.operation = operation->call;
    for (const TrackId track : threads_[static_cast<std::size_t>(rank)].tracks) {
      if (track != node.track) need.tracks.push_back(track);
    }
    node.needs.push_back(std::move(need));
    return true;
  }

  bool need_rank(WaitNode& node, int rank, SpanId operation) const {
    const auto r = static_cast<std::size_t>(rank);
    if (rank < 0 || (r < threads_.size() && !threads_[r].seen)) return false;
    Requirement need;
    need.operation = operation;
    need.peer_rank = rank;
    if (r < threads_.size()) need.tracks = threads_[r].tracks;
    node.needs.push_back(std::move(need));
    return true;
  }

  bool reached(int rank, std::uint64_t event) const {
    const auto it = trace_.events().find({rank, event});
    return it != trace_.events().end() && it->second.reached != trace::kOpen;
  }

  // An idle lane has done all it was given, so a wait for it is over. A lane whose thread has not begun yet (a busy
  // machine) is on its way: only one that has left releases nobody.
  bool need_lane(WaitNode& node, int rank, TrackId lane) const {
    if (!started(rank, lane)) return false;
    const Rank& own = threads_[static_cast<std::size_t>(rank)];
    const auto it = std::find(own.tracks.begin(), own.tracks.end(), lane);
    if (it != own.tracks.end() && own.idle[static_cast<std::size_t>(it - own.tracks.begin())]) return false;
    Requirement need;
    if (it != own.tracks.end()) need.tracks.push_back(lane);
    node.needs.push_back(std::move(need));
    return true;
  }

  bool need_all_ranks(WaitNode& node, SpanId operation, int own) const {
    const Span& span = trace_.span(operation);
    bool needed = false;
    const std::vector<int>* members = trace_.members(span.comm);
    for (std::size_t r = 0; r < threads_.size(); ++r) {
      const int rank = static_cast<int>(r);
      if (members != nullptr && std::find(members->begin(), members->end(), rank) == members->end()) continue;
      if (rank == own || operations_.entered(rank, span.comm, span.sequence)) continue;
      needed = need_rank(node, rank, operation) || needed;
    }
    return needed;
  }

  const Trace& trace_;
  const Operations& operations_;
  bool polling_;
  std::vector<Rank> threads_;  ///< by rank
  std::vector<bool> moving_;   ///< by track
};

const ThreadSample* sample_of(const Trace& trace, TrackId track) {
  const trace::Track& at = trace.tracks()[track];
  for (const ThreadSample& thread : trace.threads()) {
    if (thread.rank == at.rank && thread.lane == at.lane && thread.state != ThreadState::exited) return &thread;
  }
  return nullptr;
}

}  // namespace

WaitForGraph wait_for_graph(const Trace& trace) {
  Operations operations;
  operations.update(trace);
  return GraphBuilder(trace, operations).build();
}

WaitForGraph polling_graph(const Trace& trace) {
  Operations operations;
  operations.update(trace);
  return GraphBuilder(trace, operations, true).build();
}

struct LivelockWatch::Impl {
  Ns patience_ns = 0;
  Operations operations;
  std::vector<TrackId> suspects;
  Ns newest_record = 0;
  Ns suspected_at = 0;
};

LivelockWatch::LivelockWatch(Ns patience_ns) : impl_(std::make_unique<Impl>()) { impl_->patience_ns = patience_ns; }
LivelockWatch::~LivelockWatch() = default;

std::optional<Finding> LivelockWatch::update(const Trace& trace) {
  Impl& watch = *impl_;
  watch.operations.update(trace);
  const WaitForGraph graph = GraphBuilder(trace, watch.operations, true).build();
  Ns newest = 0;
  bool polls = false;
  for (const TrackId track : graph.stuck) {
    const ThreadSample* thread = sample_of(trace, track);
    if (thread == nullptr) return std::nullopt;
    newest = std::max(newest, thread->newest_record);
    polls = polls || thread->state == ThreadState::polling;
  }
  if (!polls || graph.stuck != watch.suspects || newest != watch.newest_record) {
    watch.suspects = polls ? graph.stuck : std::vector<TrackId>{};
    watch.newest_record = newest;
    watch.suspected_at = trace.now();
    return std::nullopt;
  }
  if (trace.now() - watch.suspected_at < watch.patience_ns) return std::nullopt;
  Finding finding = deadlock_finding(trace, graph);
  finding.kind = "livelock";
  finding.certainty = Certainty::possible;
  finding.detail.id = "finding-detail.livelock" + finding.detail.id.substr(std::string_view("finding-detail.deadlock").size());
  return finding;
}

struct DeadlockWatch::Impl {
  /// One blocked track of a set under suspicion, as it stood when the suspicion arose.
  struct Suspect {
    TrackId track;
    SpanId span;
    std::uint64_t polls;
    bool operator==(const Suspect& other) const { return track == other.track && span == other.span; }
  };

  Operations operations;
  WaitForGraph graph;
  std::vector<Suspect> suspects;
  Ns suspected_at = 0;
  Ns newest_record = 0;
  Ns detect_ns = 0;
  bool declared = false;

  /// True when the set has stood still for long enough, or is known never to move again.
  bool proven(const Trace& trace, bool standstill) {
    std::vector<Suspect> now;
    Ns newest = 0;
    bool polled = true;
    for (const TrackId track : graph.stuck) {
      const ThreadSample* thread = sample_of(trace, track);
      if (thread == nullptr) return false;
      newest = std::max(newest, thread->newest_record);
      if (thread->state == ThreadState::blocked) now.push_back({track, thread->wait_span, thread->polls});
    }
    if (now.empty()) return false;
    if (standstill) return true;
    if (now != suspects || newest != newest_record) {
      suspects = std::move(now);
      newest_record = newest;
      suspected_at = trace.now();
      return false;
    }
    for (std::size_t i = 0; i < now.size(); ++i) polled = polled && now[i].polls >= suspects[i].polls + trace::kProofPolls;
    return polled && trace.now() - suspected_at >= kStandstillNs;
  }
};

DeadlockWatch::DeadlockWatch() : impl_(std::make_unique<Impl>()) {}
DeadlockWatch::~DeadlockWatch() = default;
DeadlockWatch::DeadlockWatch(DeadlockWatch&&) noexcept = default;
DeadlockWatch& DeadlockWatch::operator=(DeadlockWatch&&) noexcept = default;
const WaitForGraph& DeadlockWatch::graph() const { return impl_->graph; }
Ns DeadlockWatch::detect_ns() const { return impl_->detect_ns; }

std::optional<Finding> DeadlockWatch::update(const Trace& trace, bool standstill) {
  Impl& watch = *impl_;
  watch.operations.update(trace);
  watch.graph = GraphBuilder(trace, watch.operations).build();
  // A trace with holes proves nothing: what is missing may be the very call that releases the set.
  if (watch.declared || trace.dropped() != 0 || !watch.proven(trace, standstill)) return std::nullopt;
  watch.declared = true;
  Ns last_blocked = 0;
  for (const TrackId track : watch.graph.stuck) {
    const ThreadSample* thread = sample_of(trace, track);
    if (thread->state == ThreadState::blocked) last_blocked = std::max(last_blocked, thread->since);
  }
  watch.detect_ns = trace.now() - last_blocked;
  return deadlock_finding(trace, watch.graph);
}

}  // namespace p2plab::analysis
