// The wait-for graph as it is drawn: blocked lanes and those they wait for on a circle, edges with what the wait is for.
#pragma once
#include <string>
#include <vector>

#include "app/analysis/wait_for.h"

namespace p2plab::gui {

struct WaitNodeDrawing {
  trace::TrackId track = trace::kNoIndex;  ///< kNoIndex: a rank that has left
  int rank = 0;
  std::string lane;
  double x = 0, y = 0;      ///< -1 … 1 in both directions
  bool stuck = false;
  bool gone = false;        ///< it has left; it releases nobody
  bool several = false;     ///< its rank has another node: only the lane tells them apart
  trace::SpanId span = trace::kNoIndex;  ///< the call it stands in
};

struct WaitEdgeDrawing {
  std::size_t from = 0, to = 0;          ///< indices of nodes
  trace::SpanId span = trace::kNoIndex;  ///< the operation that is not done
  std::string call, site;                ///< "send", "ring.cpp:12"
  std::uint64_t bytes = 0;
  bool in_cycle = false;
  bool any = false;                      ///< one of several would do
  bool both_ways = false;                ///< there is an edge back: draw it bent
};

struct WaitDrawing {
  std::vector<WaitNodeDrawing> nodes;
  std::vector<WaitEdgeDrawing> edges;
};

WaitDrawing draw(const trace::Trace& trace, const analysis::WaitForGraph& graph);

}  // namespace p2plab::gui
