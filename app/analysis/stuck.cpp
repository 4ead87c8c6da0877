// The fixpoint and the cycle search over a wait-for graph.
#include "app/analysis/stuck.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace p2plab::analysis {

using trace::kNoIndex;
using trace::TrackId;

namespace {

bool contains(const std::vector<TrackId>& tracks, TrackId track) {
  return std::find(tracks.begin(), tracks.end(), track) != tracks.end();
}

// An idle worker is no part of a cycle: it stands for the lane that would give it work.
class CycleSearch {
 public:
  explicit CycleSearch(const WaitForGraph& graph) : graph_(graph) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      if (contains(graph.stuck, graph.nodes[i].track)) index_.try_emplace(graph.nodes[i].track, i);
    }
    next_.resize(graph.nodes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) connect(i);
  }

  std::vector<TrackId> shortest() const {
    std::vector<std::size_t> best;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      if (!next_[i].empty()) search(i, best);
    }
    std::vector<TrackId> cycle;
    for (const std::size_t node : best) cycle.push_back(graph_.nodes[node].track);
    return cycle;
  }

 private:
  bool idle(std::size_t node) const { return graph_.nodes[node].span == kNoIndex; }

  std::size_t follow_idle(std::size_t node) const {
    for (std::size_t step = 0; step < graph_.nodes.size() && idle(node); ++step) {
      const WaitNode& worker = graph_.nodes[node];
      const auto it = worker.needs.empty() || worker.needs[0].tracks.empty() ? index_.end()
                                                                             : index_.find(worker.needs[0].tracks[0]);
      if (it == index_.end()) return kNowhere;
      node = it->second;
    }
    return idle(node) ? kNowhere : node;
  }

  void connect(std::size_t from) {
    const WaitNode& node = graph_.nodes[from];
    const auto self = index_.find(node.track);
    if (self == index_.end() || self->second != from || idle(from)) return;
    for (const Requirement& need : node.needs) {
      const bool hopeless = std::all_of(need.tracks.begin(), need.tracks.end(), [&](TrackId t) { return index_.count(t) != 0; });
      if (!hopeless) continue;
      for (const TrackId track : need.tracks) {
        const std::size_t to = follow_idle(index_.at(track));
        if (to != kNowhere && std::find(next_[from].begin(), next_[from].end(), to) == next_[from].end()) {
          next_[from].push_back(to);
        }
      }
    }
  }

  // Breadth first from `start` back to `start`, no deeper than what is known already.
  void search(std::size_t start, std::vector<std::size_t>& best) const {
    std::vector<std::size_t> parent(graph_.nodes.size(), kNowhere), depth(graph_.nodes.size(), 0);
    std::deque<std::size_t> queue{start};
    depth[start] = 1;
    while (!queue.empty()) {
      const std::size_t node = queue.front();
      queue.pop_front();
      if (!best.empty() && depth[node] >= best.size()) return;
      for (const std::size_t to : next_[node]) {
        if (to == start) {
          best.clear();
          for (std::size_t at = node; at != kNowhere; at = parent[at]) best.push_back(at);
          std::reverse(best.begin(), best.end());
          return;
        }
        if (depth[to] != 0) continue;
        depth[to] = depth[node] + 1;
        parent[to] = node;
        queue.push_back(to);
      }
    }
  }

  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  const WaitForGraph& graph_;
  std::unordered_map<TrackId, std::size_t> index_;  ///< of stuck tracks
  std::vector<std::vector<std::size_t>> next_;
};

}  // namespace

void find_stuck(WaitForGraph& graph, std::vector<bool> moving) {
  const auto moves = [&](TrackId track) { return track < moving.size() && moving[track]; };
  const auto satisfied = [&](const Requirement& need) { return std::any_of(need.tracks.begin(), need.tracks.end(), moves); };
  const auto can_move = [&](const WaitNode& node) {
    if (node.needs.empty()) return true;
    return node.any ? std::any_of(node.needs.begin(), node.needs.end(), satisfied)
                    : std::all_of(node.needs.begin(), node.needs.end(), satisfied);
  };
  for (const WaitNode& node : graph.nodes) {
    if (node.track >= moving.size()) moving.resize(node.track + 1);
  }
  // Alternating directions: long chains settle in few rounds whichever way they point.
  bool changed = true;
  for (bool forward = true; changed; forward = !forward) {
    changed = false;
    for (std::size_t k = 0; k < graph.nodes.size(); ++k) {
      const WaitNode& node = graph.nodes[forward ? k : graph.nodes.size() - 1 - k];
      if (moving[node.track] || !can_move(node)) continue;
      moving[node.track] = true;
      changed = true;
    }
  }

  graph.stuck.clear();
  graph.cycle.clear();
  bool any_call = false;
  for (const WaitNode& node : graph.nodes) {
    if (moving[node.track]) continue;
    if (!contains(graph.stuck, node.track)) graph.stuck.push_back(node.track);
    any_call = any_call || node.span != kNoIndex;
  }
  if (!any_call) graph.stuck.clear();  // workers nobody will ever need again are no deadlock
  if (!graph.stuck.empty()) graph.cycle = CycleSearch(graph).shortest();
}

const WaitNode* node_of(const WaitForGraph& graph, TrackId track) {
  const auto it = std::find_if(graph.nodes.begin(), graph.nodes.end(), [&](const WaitNode& n) { return n.track == track; });
  return it == graph.nodes.end() ? nullptr : &*it;
}

const Requirement* unsatisfiable_need(const WaitForGraph& graph, const WaitNode& node) {
  if (!contains(graph.stuck, node.track)) return nullptr;
  const auto it = std::find_if(node.needs.begin(), node.needs.end(), [&](const Requirement& need) {
    return std::all_of(need.tracks.begin(), need.tracks.end(), [&](TrackId t) { return contains(graph.stuck, t); });
  });
  return it == node.needs.end() ? nullptr : &*it;
}

}  // namespace p2plab::analysis
