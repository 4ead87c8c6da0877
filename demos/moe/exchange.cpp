#include "demos/moe/exchange.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "demos/p2p/rules.h"

using namespace p2p;

namespace {

using Numbers = std::vector<float>;
using Rows = std::vector<int>;            ///< of the items at hand, in the order in which they go; -1: padding
using ByRank = std::map<int, Rows>;       ///< by the rank they go to
using Tensors = std::map<int, Tensor>;    ///< by the rank they go to or come from

float* numbers(const Tensor& tensor) { return reinterpret_cast<float*>(tensor.data()); }

class Exchange {
 public:
  Exchange(World& world, const Shape& shape, Sent& sent) : world_(world), shape_(shape), sent_(sent), width_(shape.width()) {}

  Items run(Way way, const Items& items) {
    switch (way) {
      case Way::per_token: return one_by_one(items, packed(items, [](std::size_t i, const Label&) { return static_cast<int>(i); }));
      case Way::per_expert: return one_by_one(items, packed(items, [](std::size_t, const Label& label) { return label.expert; }));
      case Way::all_to_all: return all_to_all(items);
      case Way::two_level: return two_level(items);
      case Way::padded: return padded(items);
    }
    return {};
  }

 private:
  enum class Carries { tokens, counts };
  struct Message {
    int to;
    Rows rows;
    std::size_t numbers(std::size_t width) const { return rows.size() * width; }
  };
  /// What came: one tensor, and by sender the parts of it.
  struct Came {
    Tensor all;
    Tensors of;
  };

  /// Items with the same rank and the same key go into one message.
  template <class Key>
  static std::vector<Message> packed(const Items& items, Key key) {
    std::map<std::pair<int, int>, Rows> by_key;
    std::vector<std::pair<int, int>> order;  // of the first item
    for (std::size_t i = 0; i < items.labels.size(); ++i) {
      const std::pair place{key(i, items.labels[i]), items.labels[i].to};
      const auto [found, is_new] = by_key.try_emplace(place);
      if (is_new) order.push_back(place);
      found->second.push_back(static_cast<int>(i));
    }
    std::vector<Message> out;
    for (const auto& place : order) out.push_back({place.second, std::move(by_key.at(place))});
    return out;
  }

  /// Copies rows to where they leave from, or stay.
  void gather(const Tensor& from, const Rows& rows, const Tensor& to) {
    if (rows.empty()) return;
    Tensor names = Tensor::bytes_of(rows.size() * sizeof(int));
    names.put(std::as_bytes(std::span(rows)));
    arithmetic(world_, {Kind::copy, "gather"}, {{kernels::Rows{numbers(from), reinterpret_cast<const int*>(names.data()), numbers(to), width_}, to.numel()}});
    finish(world_);
  }
  Tensor room(std::size_t count) const { return Tensor::zeros({static_cast<std::int64_t>(count)}); }
  /// The rows for each rank, as parts of one tensor.
  Tensors parts(const Items& items, const ByRank& out) {
    Rows all;
    for (const auto& [peer, rows] : out) all.insert(all.end(), rows.begin(), rows.end());
    const Tensor leaving = room(all.size() * width_);
    gather(items.rows, all, leaving);
    Tensors each;
    std::size_t at = 0;
    for (const auto& [peer, rows] : out) {
      each[peer] = leaving.narrow(at, rows.size() * width_);
      at += rows.size() * width_;
    }
    return each;
  }
  /// The items of what came, with their labels on the host; rows for nobody are padding.
  Items labelled(const Tensor& rows) {
    const std::size_t count = rows.numel() / width_;
    const Tensor labels = room(count * kLabel);
    arithmetic(world_, {Kind::copy, "labels"}, {{kernels::Columns{numbers(rows), numbers(labels), width_, 0, kLabel}, labels.numel()}});
    finish(world_);
    const Tensor here = labels.host();
    Items out;
    Rows kept;
    for (std::size_t i = 0; i < count; ++i) {
      const auto part = [&](std::size_t k) { return static_cast<int>(here.f32()[i * kLabel + k]); };
      if (part(0) < 0) continue;
      kept.push_back(static_cast<int>(i));
      out.labels.push_back({part(0), part(1), part(2), part(3)});
    }
    out.rows = rows;
    if (kept.size() == count) return out;
    out.rows = room(kept.size() * width_);
    gather(rows, kept, out.rows);
    return out;
  }

  void batch(const std::vector<P2POp>& ops) {
    if (ops.empty()) return;
    world_.batch_isend_irecv(ops).wait();
    finish(world_);
  }
  /// What stays on this rank.
  void keep(const Tensor& from, const Tensor& to) {
    arithmetic(world_, {Kind::copy, "keep"}, {{kernels::Copy{numbers(from), numbers(to)}, from.numel()}});
    finish(world_);
  }

  // [one-by-one]
  /// A rank has `window` messages under way, and goes on when they and what others sent at that turn have arrived.
  Items one_by_one(const Items& items, const std::vector<Message>& messages) {
    // Nobody can receive what he does not know of: first each tells each other at which turn a message of what size comes.
    std::map<int, Numbers> told;
    for (int peer = 0; peer < world_.size(); ++peer) told[peer];
    Rows leave, stay;
    int turns = 0, number = 0;
    for (const Message& message : messages) {
      Rows& rows = message.to == world_.rank() ? stay : leave;
      rows.insert(rows.end(), message.rows.begin(), message.rows.end());
      if (message.to == world_.rank()) continue;
      const int turn = number++ / shape_.window;
      told[message.to].insert(told[message.to].end(), {static_cast<float>(turn), static_cast<float>(message.numbers(width_))});
      turns = std::max(turns, turn + 1);
    }
    Tensors telling;
    for (const auto& [peer, list] : told) telling[peer] = Tensor::of(list);
    std::map<int, Numbers> heard;
    std::size_t coming = stay.size() * width_;
    for (const auto& [peer, tensor] : swap(telling, Carries::counts).of) {
      const Tensor list = tensor.host();
      heard[peer].assign(list.f32().begin(), list.f32().end());
      if (list.numel() == 0) continue;
      turns = std::max(turns, static_cast<int>(heard[peer][list.numel() - 2]) + 1);
      for (std::size_t i = 1; i < list.numel(); i += 2) coming += static_cast<std::size_t>(heard[peer][i]);
    }
    const Tensor leaving = room(leave.size() * width_), all = room(coming);
    gather(items.rows, leave, leaving);
    gather(items.rows, stay, all.narrow(0, stay.size() * width_));
    std::size_t in = stay.size() * width_, out = 0;
    std::map<int, std::size_t> at;
    auto next = messages.begin();
    for (int turn = 0, posted = 0; turn < turns; ++turn) {
      std::vector<P2POp> ops;
      for (const auto& [peer, list] : heard)
        for (std::size_t& i = at[peer]; i < list.size() && static_cast<int>(list[i]) == turn; i += 2) {
          const auto size = static_cast<std::size_t>(list[i + 1]);
          ops.push_back({P2POp::Type::irecv, all.narrow(in, size), peer});
          in += size;
        }
      for (; next != messages.end() && posted < (turn + 1) * shape_.window; ++next) {
        if (next->to == world_.rank()) continue;
        ops.push_back(send(next->to, leaving.narrow(out, next->numbers(width_))));
        out += next->numbers(width_);
        ++posted;
      }
      batch(ops);
    }
    return labelled(all);
  }
  // [end]

  // [all-to-all]
  /// Packed by destination: one message to each rank, all of them in one group.
  Items all_to_all(const Items& items) {
    ByRank out;
    for (int peer = 0; peer < world_.size(); ++peer) out[peer];  // also to whom there is nothing to say: he waits for the count
    for (std::size_t i = 0; i < items.labels.size(); ++i) out[items.labels[i].to].push_back(static_cast<int>(i));
    return labelled(swap(parts(items, out), Carries::tokens).all);
  }

  /// Counts first, as the receiver does not know them; then the messages themselves. `out` names everybody with whom this
  /// rank exchanges anything.
  Came swap(const Tensors& out, Carries what) {
    Numbers sizes;
    for (const auto& [peer, tensor] : out) sizes.push_back(static_cast<float>(tensor.numel()));
    const Tensor own = Tensor::of(sizes), others = room(out.size());
    std::vector<P2POp> ops;
    std::size_t place = 0;
    for (const auto& [peer, tensor] : out) {
      if (peer != world_.rank()) {
        ops.push_back({P2POp::Type::irecv, others.narrow(place, 1), peer});
        ops.push_back(send(peer, own.narrow(place, 1), Carries::counts));
      }
      ++place;
    }
    batch(ops);
    ops.clear();
    const Tensor told = others.host();
    std::map<int, std::size_t> size;
    std::size_t total = 0;
    place = 0;
    for (const auto& [peer, tensor] : out) {
      size[peer] = peer == world_.rank() ? tensor.numel() : static_cast<std::size_t>(told.f32()[place]);
      total += size[peer];
      ++place;
    }
    Came in{room(total), {}};
    std::size_t at = 0;
    for (const auto& [peer, count] : size) {
      in.of[peer] = in.all.narrow(at, count);
      at += count;
      if (peer != world_.rank() && count > 0) ops.push_back({P2POp::Type::irecv, in.of[peer], peer});
    }
    for (int turn = 1; turn < world_.size(); ++turn) {  // each begins with another one: no port is asked by all at once
      const int peer = (world_.rank() + turn) % world_.size();
      const auto found = out.find(peer);
      if (found == out.end() || found->second.numel() == 0) continue;
      ops.push_back(send(peer, found->second, what));
    }
    batch(ops);
    if (const auto mine = out.find(world_.rank()); mine != out.end()) keep(mine->second, in.of[world_.rank()]);
    return in;
  }
  // [end]

  int node_of(int rank) const { return rank / shape_.node_size; }
  /// The rank of a node that hands on what is for `to`: with full nodes the one in the same place as `to`.
  int relay(int node, int to) const {
    const int first = node * shape_.node_size, ranks = std::min(shape_.node_size, world_.size() - first);
    return node == node_of(to) ? to : first + to % shape_.node_size % ranks;
  }

  // [two-level]
  /// First inside the node, to the rank that stands where the receiver stands in his; then one message to each node.
  Items two_level(const Items& items) {
    const int own = node_of(world_.rank());
    ByRank inside, between;
    for (int peer = 0; peer < world_.size(); ++peer)
      if (node_of(peer) == own) inside[peer];
    for (std::size_t i = 0; i < items.labels.size(); ++i) inside[relay(own, items.labels[i].to)].push_back(static_cast<int>(i));
    for (int peer = 0; peer < world_.size(); ++peer)  // who is served by this rank, or serves it
      if (node_of(peer) != own && (relay(own, peer) == world_.rank() || relay(node_of(peer), world_.rank()) == peer)) between[peer];
    const Items near = labelled(swap(parts(items, inside), Carries::tokens).all);
    for (std::size_t i = 0; i < near.labels.size(); ++i) between[near.labels[i].to].push_back(static_cast<int>(i));  // perhaps to this rank itself
    return labelled(swap(parts(near, between), Carries::tokens).all);
  }
  // [end]

  // [padded]
  /// Messages of one fixed size, so that no counts are needed: what is missing is filled up.
  Items padded(const Items& items) {
    const auto most = static_cast<std::size_t>(shape_.most_items), size = most * width_;
    ByRank out;
    for (int peer = 0; peer < world_.size(); ++peer) out[peer];
    for (std::size_t i = 0; i < items.labels.size(); ++i) out[items.labels[i].to].push_back(static_cast<int>(i));
    for (auto& [peer, rows] : out) {
      if (rows.size() > most) throw std::runtime_error("More tokens for one rank than the padded message holds.");
      rows.resize(most, -1);
    }
    const Tensors leaving = parts(items, out);
    const Tensor all = room(size * static_cast<std::size_t>(world_.size()));
    const auto from_rank = [&](int rank) { return all.narrow(static_cast<std::size_t>(rank) * size, size); };
    std::vector<P2POp> ops;
    for (int turn = 1; turn < world_.size() && size > 0; ++turn) {
      const int to = (world_.rank() + turn) % world_.size(), from = (world_.rank() + world_.size() - turn) % world_.size();
      ops.push_back({P2POp::Type::irecv, from_rank(from), from});
      ops.push_back(send(to, leaving.at(to)));
    }
    batch(ops);
    keep(leaving.at(world_.rank()), from_rank(world_.rank()));
    return labelled(all);
  }
  // [end]

  P2POp send(int peer, const Tensor& message, Carries what = Carries::tokens) {
    ++sent_.messages;
    if (what == Carries::counts) ++sent_.counts;
    if (node_of(peer) != node_of(world_.rank())) ++sent_.between_nodes;
    sent_.bytes += static_cast<double>(message.nbytes());
    return {P2POp::Type::isend, message, peer};
  }

  World& world_;
  const Shape& shape_;
  Sent& sent_;
  const std::size_t width_;
};

}  // namespace

std::string_view to_string(Way way) {
  constexpr std::array<std::string_view, 5> kNames{"per-token", "per-expert", "all-to-all", "two-level", "padded"};
  return kNames[static_cast<std::size_t>(way)];
}

Items exchange(World& world, Way way, const Shape& shape, const Items& items, Sent& sent) {
  return Exchange(world, shape, sent).run(way, items);
}
