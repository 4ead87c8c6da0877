// Ways to bring items (a hidden state and where it belongs) from every rank to the ranks they are for, on the GPU where there is one. Dispatch is one such
// exchange, combine another one, with the ranks the other way round.
#pragma once
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "demos/p2p/world.h"

/// What stands before the numbers of a token in a message.
struct Label {
  int to = 0, source = 0;      ///< ranks: whom the item is for now, and whose token it is
  int expert = 0;
  int slot = 0;                ///< which of the source's choices
};
using p2p::kernels::kLabel;    ///< numbers

/// One row of kLabel + hidden numbers each, where kernels find them. The host has the labels, too.
struct Items {
  std::vector<Label> labels;
  p2p::Tensor rows;
};

/// What one rank sent, the small messages that only say how much will come among it.
struct Sent {
  int messages = 0, between_nodes = 0;
  int counts = 0;    ///< of the messages, those that carry no token
  double bytes = 0;
};

struct Shape {
  int hidden = 0;
  std::size_t width() const { return kLabel + static_cast<std::size_t>(hidden); }  ///< of an item
  int node_size = 4;   ///< ranks of a node, which follow one another
  int window = 1;      ///< messages that a rank has under way where it sends them one by one
  int most_items = 0;  ///< from any rank to any other; of padded exchanges
};

enum class Way { per_token, per_expert, all_to_all, two_level, padded };
std::string_view to_string(Way way);  ///< "per-token", …

/// All ranks call it, also those that have nothing to send or to get. Returns what came for this rank, in any order.
Items exchange(p2p::World& world, Way way, const Shape& shape, const Items& items, Sent& sent);
