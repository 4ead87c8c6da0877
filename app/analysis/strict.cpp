// The replay: each lane runs its recorded calls in order, a send ends only once its receive is posted, and lanes wait
// for each other where they did. What each operation matched in the run it matches here too, so the order in which the
// lanes are moved does not matter: there is one furthest state.
#include "app/analysis/strict.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "app/analysis/deadlock.h"
#include "app/analysis/operations.h"
#include "app/analysis/stuck.h"

namespace p2plab::analysis {

using trace::kNoIndex;
using trace::kOpen;
using trace::Ns;
using trace::Span;
using trace::SpanId;
using trace::Trace;
using trace::TrackId;

namespace {

/// "Lane `track` has done its first `steps` calls."
struct Progress {
  TrackId track = kNoIndex;
  std::size_t steps = 0;
};

/// One call of a lane.
struct Step {
  SpanId span = kNoIndex;
  Progress after;                  ///< what its owner did before handing it to the lane
  std::vector<SpanId> posts;       ///< operations it posts, as spans in flight
  std::vector<SpanId> waits;       ///< operations it stands still for
  std::vector<Progress> lanes;     ///< lanes it stands still for
  bool any = false;
  bool collective = false;
};

struct Lane {
  TrackId track = kNoIndex;
  std::vector<Step> steps;
  std::size_t done = 0;
  bool entered = false;  ///< the current step has posted what it posts
};

// A call that the replay makes again.
bool is_step(const Span& span) {
  return (span.flags & trace::kInFlight) == 0 &&
         (trace::is_communication(span.kind) || span.kind == trace::Kind::wait || (span.flags & trace::kGroup) != 0);
}

class Replay {
 public:
  explicit Replay(const Trace& trace) : trace_(trace), lane_of_track_(trace.tracks().size(), kNoLane) {
    operations_.update(trace);
    for (const Pair& pair : operations_.pairs()) {
      partner_[pair.send] = pair.receive;
      partner_[pair.receive] = pair.send;
    }
    collect_steps();
    collect_waits();
    collect_events();
  }

  /// Runs to the furthest state; true if every lane has come to its end.
  bool run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (Lane& lane : lanes_) {
        while (lane.done < lane.steps.size() && advance(lane)) moved = true;
      }
    }
    return std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.done == lane.steps.size(); });
  }

  /// Who waits for whom in the furthest state.
  WaitForGraph graph() const {
    WaitForGraph graph;
    for (const Lane& lane : lanes_) {
      if (lane.done < lane.steps.size()) graph.nodes.push_back(node(lane));
    }
    find_stuck(graph, {});
    return graph;
  }

 private:
  static constexpr std::size_t kNoLane = static_cast<std::size_t>(-1);

  // ---- what was recorded

  void collect_steps() {
    for (TrackId track = 0; track < trace_.tracks().size(); ++track) {
      Lane lane;
      lane.track = track;
      for (const SpanId id : trace_.tracks()[track].spans) {
        const Span& span = trace_.span(id);
        if (!is_step(span)) continue;
        Step step;
        step.span = id;
        step.any = (span.flags & trace::kAny) != 0;
        step.collective = span.kind == trace::Kind::collective && span.sequence >= 0;
        lane.steps.push_back(step);
      }
      if (lane.steps.empty()) continue;
      std::stable_sort(lane.steps.begin(), lane.steps.end(),
                       [&](const Step& a, const Step& b) { return begin(a) < begin(b); });
      lane_of_track_[track] = lanes_.size();
      lanes_.push_back(std::move(lane));
    }
    for (Lane& lane : lanes_) {
      for (Step& step : lane.steps) {
        step_of_span_[step.span] = &step;
        if (step.collective) ++callers_[key(step)];
      }
    }
    for (std::size_t i = 0; i < trace_.spans().size(); ++i) {
      const Span& span = trace_.spans()[i];
      if ((span.flags & trace::kInFlight) == 0 || span.kind == trace::Kind::collective) continue;
      const auto id = static_cast<SpanId>(i);
      Step* call = call_of(span);
      if (call == nullptr) {
        posted_.insert(id);  // nobody knows who posted it: as if it had been there from the start
      } else {
        call->posts.push_back(id);
        if ((trace_.span(call->span).flags & trace::kBlocking) != 0) call->waits.push_back(id);
      }
    }
  }

  void collect_waits() {
    for (Lane& lane : lanes_) {
      for (Step& step : lane.steps) {
        const Span& span = trace_.span(step.span);
        if (span.kind == trace::Kind::wait) wait_for_request(step, span.request);
      }
    }
    for (const trace::WaitTarget& target : trace_.wait_targets()) {
      const auto it = step_of_span_.find(target.wait);
      if (it == step_of_span_.end() || trace_.span(target.wait).kind != trace::Kind::wait) continue;
      if (target.request >= 0) {
        wait_for_request(*it->second, target.request);
      } else if (const auto event = trace_.events().find({trace_.rank_of(target.wait), target.event}); event != trace_.events().end()) {
        it->second->lanes.push_back(up_to(event->second.track, event->second.reached));
      }
    }
  }

  void wait_for_request(Step& step, std::int32_t request) {
    const Operation* operation = operations_.find(trace_.rank_of(step.span), request);
    if (operation == nullptr || operation->in_flight == kNoIndex) return;
    if (std::find(step.waits.begin(), step.waits.end(), operation->in_flight) == step.waits.end()) {
      step.waits.push_back(operation->in_flight);
    }
  }

  // A call on a worker's lane was handed over by the owner just before the event that follows it on that lane. Waits
  // of a lane have no event of their own: when they were handed over is not known, so nothing is asked of them.
  void collect_events() {
    std::map<TrackId, std::vector<std::pair<Ns, Ns>>> by_track;  // reached, enqueued
    for (const auto& [key, mark] : trace_.events()) {
      if (mark.track != kNoIndex && mark.reached != kOpen && mark.enqueued != kOpen) {
        by_track[mark.track].emplace_back(mark.reached, mark.enqueued);
      }
    }
    for (auto& [track, events] : by_track) {
      const std::size_t lane = track < lane_of_track_.size() ? lane_of_track_[track] : kNoLane;
      const TrackId owner = owner_of(track);
      if (lane == kNoLane || owner == kNoIndex) continue;
      std::sort(events.begin(), events.end());
      for (Step& step : lanes_[lane].steps) {
        const Span& span = trace_.span(step.span);
        if (span.kind == trace::Kind::wait) continue;
        const auto next = std::lower_bound(events.begin(), events.end(), std::pair<Ns, Ns>{span.end, 0});
        if (next != events.end()) step.after = up_to(owner, next->second);
      }
    }
  }

  TrackId owner_of(TrackId track) const {
    const trace::Track& at = trace_.tracks()[track];
    for (const trace::ThreadSample& thread : trace_.threads()) {
      if (thread.rank == at.rank && thread.lane == at.lane && thread.owner != 0) {
        return trace_.find_track(at.rank, trace_.name(thread.owner));
      }
    }
    return kNoIndex;
  }

  /// The calls that `track` had begun before `when`.
  Progress up_to(TrackId track, Ns when) const {
    const std::size_t lane = track < lane_of_track_.size() ? lane_of_track_[track] : kNoLane;
    if (lane == kNoLane || when == kOpen) return {};
    const auto& steps = lanes_[lane].steps;
    const auto it = std::partition_point(steps.begin(), steps.end(), [&](const Step& step) { return begin(step) < when; });
    return {track, static_cast<std::size_t>(it - steps.begin())};
  }

  Ns begin(const Step& step) const { return trace_.span(step.span).begin; }
  std::pair<trace::NameId, std::int32_t> key(const Step& step) const {
    const Span& span = trace_.span(step.span);
    return {span.comm, span.sequence};
  }
  Step* call_of(const Span& in_flight) const {
    const Operation* operation = operations_.find(trace_.tracks()[in_flight.track].rank, in_flight.request);
    if (operation == nullptr || operation->call == kNoIndex) return nullptr;
    const auto it = step_of_span_.find(operation->call);
    return it == step_of_span_.end() ? nullptr : it->second;
  }

  // ---- the state of the replay

  bool posted(SpanId operation) const { return posted_.count(operation) != 0; }
  // A send that found no receive in the whole run is a finding of its own (unmatched-message) and does not count here.
  bool complete(SpanId operation) const {
    if (!posted(operation)) return false;
    const auto partner = partner_.find(operation);
    if (partner == partner_.end()) return trace_.span(operation).kind == trace::Kind::send;
    return posted(partner->second);
  }
  bool reached(const Progress& progress) const {
    return progress.track == kNoIndex || lanes_[lane_of_track_[progress.track]].done >= progress.steps;
  }

  bool released(const Step& step) const {
    if (step.collective && entered_count(step) < callers_.at(key(step))) return false;
    const auto is_complete = [&](SpanId operation) { return complete(operation); };
    const auto is_reached = [&](const Progress& progress) { return reached(progress); };
    if (step.any && !(step.waits.empty() && step.lanes.empty())) {
      return std::any_of(step.waits.begin(), step.waits.end(), is_complete) ||
             std::any_of(step.lanes.begin(), step.lanes.end(), is_reached);
    }
    return std::all_of(step.waits.begin(), step.waits.end(), is_complete) &&
           std::all_of(step.lanes.begin(), step.lanes.end(), is_reached);
  }

  std::size_t entered_count(const Step& step) const {
    const auto it = entered_.find(key(step));
    return it == entered_.end() ? 0 : it->second;
  }

  /// Enters the lane's current call if it may, and leaves it if it may; true if anything has changed.
  bool advance(Lane& lane) {
    const Step& step = lane.steps[lane.done];
    bool moved = false;
    if (!lane.entered && reached(step.after)) {
      lane.entered = moved = true;
      for (const SpanId operation : step.posts) posted_.insert(operation);
      if (step.collective) ++entered_[key(step)];
    }
    if (!lane.entered || !released(step)) return moved;
    lane.entered = false;
    ++lane.done;
    return true;
  }

  // ---- the furthest state as a graph

  WaitNode node(const Lane& lane) const {
    const Step& step = lane.steps[lane.done];
    WaitNode node;
    node.track = lane.track;
    if (!lane.entered) {  // the call has not been handed to the lane yet
      node.needs.push_back({kNoIndex, trace::kNone, {step.after.track}});
      return node;
    }
    node.span = step.span;
    node.any = step.any;
    if (step.collective) need_callers(node, step);
    for (const SpanId operation : step.waits) {
      if (!complete(operation)) node.needs.push_back(need_partner(operation));
    }
    for (const Progress& progress : step.lanes) {
      if (!reached(progress)) node.needs.push_back({kNoIndex, trace::kNone, {progress.track}});
    }
    return node;
  }

  Requirement need_partner(SpanId operation) const {
    Requirement need;
    need.operation = operation;
    need.peer_rank = trace_.span(operation).peer;
    // A request that another lane of the rank is still to post, or a partner that is still to be posted.
    const auto partner = partner_.find(operation);
    const SpanId missing = !posted(operation) || partner == partner_.end() ? operation : partner->second;
    if (const Step* call = call_of(trace_.span(missing))) need.tracks.push_back(trace_.span(call->span).track);
    return need;
  }

  void need_callers(WaitNode& node, const Step& step) const {
    for (const Lane& lane : lanes_) {
      for (std::size_t i = lane.done; i < lane.steps.size(); ++i) {
        const Step& other = lane.steps[i];
        if (!other.collective || key(other) != key(step) || (i == lane.done && lane.entered)) continue;
        node.needs.push_back({step.span, trace_.tracks()[lane.track].rank, {lane.track}});
      }
    }
  }

  const Trace& trace_;
  Operations operations_;
  std::unordered_map<SpanId, SpanId> partner_;  ///< of operations that matched in the run
  std::vector<Lane> lanes_;
  std::vector<std::size_t> lane_of_track_;
  std::unordered_map<SpanId, Step*> step_of_span_;
  std::map<std::pair<trace::NameId, std::int32_t>, std::size_t> callers_, entered_;  ///< of a collective
  std::unordered_set<SpanId> posted_;
};

// Some call has not returned: the run was cut short and says nothing about how it would have ended.
bool unfinished(const Trace& trace) {
  for (std::size_t i = 0; i < trace.spans().size(); ++i) {
    const Span& span = trace.spans()[i];
    if (span.open() && is_step(span)) return true;
  }
  return false;
}

}  // namespace

std::optional<Finding> strict_replay(const Trace& trace) {
  if (unfinished(trace)) return std::nullopt;
  Replay replay(trace);
  if (replay.run()) return std::nullopt;
  const WaitForGraph graph = replay.graph();
  Finding finding;
  finding.kind = "unsafe-buffering";
  finding.sites = stuck_sites(trace, graph);
  finding.detail = {"finding-detail.unsafe-buffering", {{"cycle", cycle_text(finding.sites)}}};
  return finding;
}

}  // namespace p2plab::analysis
