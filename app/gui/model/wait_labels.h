// Where the words of the wait-for graph's edges stand: on their edge or beside it, where neither a node nor other words
// cover them. No drawing.
#pragma once
#include <vector>

namespace p2plab::gui {

struct WaitPoint {
  float x = 0, y = 0;
};

/// A rectangle from its upper left to its lower right corner.
struct WaitBox {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool overlaps(const WaitBox& other) const { return x0 < other.x1 && other.x0 < x1 && y0 < other.y1 && other.y0 < y1; }
  bool within(const WaitBox& room) const { return x0 >= room.x0 && y0 >= room.y0 && x1 <= room.x1 && y1 <= room.y1; }
};

/// An edge that wants words: its line, and how much room its words take, the fullest first.
struct LabelWish {
  std::vector<WaitPoint> line;
  std::vector<WaitPoint> sizes;
};

struct LabelPlace {
  int size = -1;  ///< index of LabelWish::sizes; -1: there is no room for any of them
  WaitBox box;
};

/// One place for each wish; the first ones choose first.
std::vector<LabelPlace> place_labels(const WaitBox& room, const std::vector<WaitBox>& nodes, const std::vector<LabelWish>& wishes);

}  // namespace p2plab::gui
