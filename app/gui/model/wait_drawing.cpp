// Nodes in the order of the cycle from its lowest rank on, then by rank: a deadlock is drawn as the ring it is, and every
// run of it alike.
#include "app/gui/model/wait_drawing.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "app/check/call_words.h"

namespace p2plab::gui {
namespace {

class Builder {
 public:
  Builder(const trace::Trace& trace, const analysis::WaitForGraph& graph) : trace_(trace), graph_(graph) {}

  WaitDrawing build() {
    order();
    for (const auto& blocked : graph_.nodes)
      if (!blocked.needs.empty()) out_.nodes[node(blocked.track)].span = blocked.span;
    for (const auto& blocked : graph_.nodes)
      for (const auto& need : blocked.needs) edges(blocked, need);
    for (auto& edge : out_.edges)
      edge.both_ways = std::any_of(out_.edges.begin(), out_.edges.end(), [&](const auto& other) { return other.from == edge.to && other.to == edge.from; });
    for (std::size_t i = 0; i < out_.nodes.size(); ++i)
      for (std::size_t k = 0; k < out_.nodes.size(); ++k) out_.nodes[i].several = out_.nodes[i].several || (i != k && out_.nodes[i].rank == out_.nodes[k].rank);
    place();
    return std::move(out_);
  }

 private:
  void order() {
    const auto by_rank = [this](trace::TrackId a, trace::TrackId b) {
      return std::pair(trace_.tracks()[a].rank, a) < std::pair(trace_.tracks()[b].rank, b);
    };
    auto cycle = graph_.cycle;
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end(), by_rank), cycle.end());
    for (const auto track : cycle) node(track);
    std::vector<trace::TrackId> rest;
    for (const auto& blocked : graph_.nodes) {
      if (blocked.needs.empty()) continue;
      rest.push_back(blocked.track);
      for (const auto& need : blocked.needs) rest.insert(rest.end(), need.tracks.begin(), need.tracks.end());
    }
    std::sort(rest.begin(), rest.end(), by_rank);
    for (const auto track : rest) node(track);
  }

  std::size_t node(trace::TrackId track) {
    for (std::size_t i = 0; i < out_.nodes.size(); ++i)
      if (out_.nodes[i].track == track && !out_.nodes[i].gone) return i;
    const auto& at = trace_.tracks()[track];
    const bool stuck = std::find(graph_.stuck.begin(), graph_.stuck.end(), track) != graph_.stuck.end();
    out_.nodes.push_back({track, at.rank, trace_.name(at.lane), 0, 0, stuck, false, false, trace::kNoIndex});
    return out_.nodes.size() - 1;
  }

  std::size_t gone(int rank) {
    for (std::size_t i = 0; i < out_.nodes.size(); ++i)
      if (out_.nodes[i].gone && out_.nodes[i].rank == rank) return i;
    out_.nodes.push_back({trace::kNoIndex, rank, {}, 0, 0, false, true, false, trace::kNoIndex});
    return out_.nodes.size() - 1;
  }

  void edges(const analysis::WaitNode& blocked, const analysis::Requirement& need) {
    WaitEdgeDrawing edge;
    edge.from = node(blocked.track);
    edge.span = need.operation != trace::kNoIndex ? need.operation : blocked.span;
    edge.any = blocked.any || need.tracks.size() > 1;
    if (edge.span != trace::kNoIndex) {
      const auto& span = trace_.span(edge.span);
      edge.call = check::call_word(trace_, edge.span);
      edge.site = trace_.name(span.site);
      edge.bytes = span.bytes;
    }
    if (need.tracks.empty()) {
      edge.to = gone(need.peer_rank);
      out_.edges.push_back(edge);
    }
    for (const auto track : need.tracks) {
      edge.to = node(track);
      edge.in_cycle = follows(blocked.track, track);
      out_.edges.push_back(edge);
    }
  }

  bool follows(trace::TrackId from, trace::TrackId to) const {
    const auto& cycle = graph_.cycle;
    for (std::size_t i = 0; i < cycle.size(); ++i)
      if (cycle[i] == from && cycle[(i + 1) % cycle.size()] == to) return true;
    return false;
  }

  /// Two lanes stand in a row, more on a circle that reaches all sides.
  void place() {
    const std::size_t n = out_.nodes.size();
    for (std::size_t i = 0; i < n; ++i) {
      auto& node = out_.nodes[i];
      // An even ring stands on a side, not on a corner: that takes a row less.
      const double part = (static_cast<double>(i) + (n % 2 == 0 ? 0.5 : 0.0)) / static_cast<double>(n);
      if (n <= 2) {
        node.x = n == 1 ? 0 : (i == 0 ? -1 : 1);
      } else {
        node.x = -std::cos(2 * std::numbers::pi * part);
        node.y = -std::sin(2 * std::numbers::pi * part);
      }
    }
    if (n <= 2) return;
    double across = 0, down = 0;
    for (const auto& node : out_.nodes) across = std::max(across, std::abs(node.x)), down = std::max(down, std::abs(node.y));
    for (auto& node : out_.nodes) node.x /= across, node.y /= down;
  }

  const trace::Trace& trace_;
  const analysis::WaitForGraph& graph_;
  WaitDrawing out_;
};

}  // namespace

WaitDrawing draw(const trace::Trace& trace, const analysis::WaitForGraph& graph) { return Builder(trace, graph).build(); }

}  // namespace p2plab::gui
