#include "demos/moe/exchange.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

using namespace p2p;

namespace {

using Numbers = std::vector<float>;
using ByRank = std::map<int, Numbers>;  ///< items one after another, by the rank they go to or come from

void append(Numbers& to, const Item& item) {
  to.insert(to.end(), {static_cast<float>(item.label.to), static_cast<float>(item.label.source), static_cast<float>(item.label.expert), static_cast<float>(item.label.slot)});
  to.insert(to.end(), item.numbers.begin(), item.numbers.end());
}

/// Adds the items of a message; those with no receiver are padding.
void unpack(const Numbers& message, const Shape& shape, std::vector<Item>& to) {
  const std::size_t size = kLabel + static_cast<std::size_t>(shape.hidden);
  for (std::size_t at = 0; at + size <= message.size(); at += size) {
    if (message[at] < 0) continue;
    const auto part = [&](std::size_t i) { return static_cast<int>(message[at + i]); };
    const auto begin = message.begin() + static_cast<std::ptrdiff_t>(at + kLabel);
    to.push_back({{part(0), part(1), part(2), part(3)}, Numbers(begin, begin + shape.hidden)});
  }
}

class Exchange {
 public:
  Exchange(World& world, const Shape& shape, Sent& sent) : world_(world), shape_(shape), sent_(sent) {}

  std::vector<Item> run(Way way, const std::vector<Item>& items) {
    switch (way) {
      case Way::per_token: return one_by_one(packed(items, [](std::size_t i, const Label&) { return static_cast<int>(i); }));
      case Way::per_expert: return one_by_one(packed(items, [](std::size_t, const Label& label) { return label.expert; }));
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
    Numbers numbers;
  };

  /// Items with the same rank and the same key go into one message.
  template <class Key>
  static std::vector<Message> packed(const std::vector<Item>& items, Key key) {
    std::map<std::pair<int, int>, Numbers> by_key;
    std::vector<std::pair<int, int>> order;  // of the first item
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::pair place{key(i, items[i].label), items[i].label.to};
      const auto [found, is_new] = by_key.try_emplace(place);
      if (is_new) order.push_back(place);
      append(found->second, items[i]);
    }
    std::vector<Message> out;
    for (const auto& place : order) out.push_back({place.second, std::move(by_key.at(place))});
    return out;
  }

  // [one-by-one]
  /// A rank has `window` messages under way, and goes on when they and what others sent at that turn have arrived.
  std::vector<Item> one_by_one(const std::vector<Message>& messages) {
    std::vector<Item> out;
    // Nobody can receive what he does not know of: first each tells each other at which turn a message of what size comes.
    ByRank told;
    for (int peer = 0; peer < world_.size(); ++peer) told[peer];
    int turns = 0, number = 0;
    for (const Message& message : messages) {
      if (message.to == world_.rank()) {
        unpack(message.numbers, shape_, out);
        continue;
      }
      const int turn = number++ / shape_.window;
      told[message.to].insert(told[message.to].end(), {static_cast<float>(turn), static_cast<float>(message.numbers.size())});
      turns = std::max(turns, turn + 1);
    }
    const ByRank heard = swap(told, Carries::counts);
    for (const auto& [peer, list] : heard)
      if (!list.empty()) turns = std::max(turns, static_cast<int>(list[list.size() - 2]) + 1);
    std::map<int, std::size_t> at;
    auto next = messages.begin();
    for (int turn = 0, posted = 0; turn < turns; ++turn) {
      std::vector<P2POp> ops;
      std::vector<Tensor> coming;
      for (const auto& [peer, list] : heard)
        for (std::size_t& i = at[peer]; i < list.size() && static_cast<int>(list[i]) == turn; i += 2) {
          coming.push_back(Tensor::zeros({static_cast<std::int64_t>(list[i + 1])}));
          ops.push_back({P2POp::Type::irecv, coming.back(), peer});
        }
      for (; next != messages.end() && posted < (turn + 1) * shape_.window; ++next)
        if (next->to != world_.rank()) ops.push_back(send(next->to, next->numbers)), ++posted;
      if (!ops.empty()) world_.batch_isend_irecv(ops).wait();
      for (const Tensor& message : coming) unpack(Numbers(message.f32().begin(), message.f32().end()), shape_, out);
    }
    return out;
  }
  // [end]

  // [all-to-all]
  /// Packed by destination: one message to each rank, all of them in one group.
  std::vector<Item> all_to_all(const std::vector<Item>& items) {
    ByRank out;
    for (int peer = 0; peer < world_.size(); ++peer) out[peer];  // also to whom there is nothing to say: he waits for the count
    for (const Item& item : items) append(out[item.label.to], item);
    return unpacked(swap(out, Carries::tokens));
  }

  /// Counts first, as the receiver does not know them; then the messages themselves. `out` names everybody with whom this
  /// rank exchanges anything.
  ByRank swap(const ByRank& out, Carries what) {
    std::map<int, Tensor> counts, coming;
    std::vector<P2POp> ops;
    for (const auto& [peer, numbers] : out) {
      if (peer == world_.rank()) continue;
      counts[peer] = Tensor::zeros({1});
      ops.push_back({P2POp::Type::irecv, counts[peer], peer});
      ops.push_back(send(peer, {static_cast<float>(numbers.size())}, Carries::counts));
    }
    if (!ops.empty()) world_.batch_isend_irecv(ops).wait();
    ops.clear();
    for (auto& [peer, count] : counts) {
      const auto size = static_cast<std::int64_t>(count.f32()[0]);
      if (size == 0) continue;
      coming[peer] = Tensor::zeros({size});
      ops.push_back({P2POp::Type::irecv, coming[peer], peer});
    }
    for (int turn = 1; turn < world_.size(); ++turn) {  // each begins with another one: no port is asked by all at once
      const int peer = (world_.rank() + turn) % world_.size();
      const auto found = out.find(peer);
      if (found == out.end() || found->second.empty()) continue;
      ops.push_back(send(peer, found->second, what));
    }
    if (!ops.empty()) world_.batch_isend_irecv(ops).wait();
    ByRank in;
    for (const auto& [peer, tensor] : coming) in[peer] = Numbers(tensor.f32().begin(), tensor.f32().end());
    if (const auto own = out.find(world_.rank()); own != out.end()) in[world_.rank()] = own->second;
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
  std::vector<Item> two_level(const std::vector<Item>& items) {
    const int own = node_of(world_.rank());
    ByRank inside, between;
    for (int peer = 0; peer < world_.size(); ++peer)
      if (node_of(peer) == own) inside[peer];
    for (const Item& item : items) append(inside[relay(own, item.label.to)], item);
    std::vector<Item> out;
    for (int peer = 0; peer < world_.size(); ++peer)  // who is served by this rank, or serves it
      if (node_of(peer) != own && (relay(own, peer) == world_.rank() || relay(node_of(peer), world_.rank()) == peer)) between[peer];
    for (Item& item : unpacked(swap(inside, Carries::tokens))) {
      if (item.label.to == world_.rank()) out.push_back(std::move(item));
      else append(between[item.label.to], item);
    }
    for (Item& item : unpacked(swap(between, Carries::tokens))) out.push_back(std::move(item));
    return out;
  }
  // [end]

  // [padded]
  /// Messages of one fixed size, so that no counts are needed: what is missing is filled up.
  std::vector<Item> padded(const std::vector<Item>& items) {
    const std::size_t size = static_cast<std::size_t>(shape_.most_items) * (kLabel + static_cast<std::size_t>(shape_.hidden));
    ByRank out, in;
    for (int peer = 0; peer < world_.size(); ++peer) out[peer].reserve(size);
    for (const Item& item : items) append(out[item.label.to], item);
    std::map<int, Tensor> coming;
    std::vector<P2POp> ops;
    for (auto& [peer, numbers] : out) {
      if (numbers.size() > size) throw std::runtime_error("More tokens for one rank than the padded message holds.");
      numbers.resize(size, -1.0F);
    }
    for (int turn = 1; turn < world_.size() && size > 0; ++turn) {
      const int to = (world_.rank() + turn) % world_.size(), from = (world_.rank() + world_.size() - turn) % world_.size();
      coming[from] = Tensor::zeros({static_cast<std::int64_t>(size)});
      ops.push_back({P2POp::Type::irecv, coming[from], from});
      ops.push_back(send(to, out[to]));
    }
    if (!ops.empty()) world_.batch_isend_irecv(ops).wait();
    for (const auto& [peer, tensor] : coming) in[peer] = Numbers(tensor.f32().begin(), tensor.f32().end());
    in[world_.rank()] = out[world_.rank()];
    return unpacked(in);
  }
  // [end]

  P2POp send(int peer, const Numbers& numbers, Carries what = Carries::tokens) {
    ++sent_.messages;
    if (what == Carries::counts) ++sent_.counts;
    if (node_of(peer) != node_of(world_.rank())) ++sent_.between_nodes;
    sent_.bytes += static_cast<double>(numbers.size() * sizeof(float));
    return {P2POp::Type::isend, Tensor::of(numbers), peer};
  }

  std::vector<Item> unpacked(const ByRank& in) const {
    std::vector<Item> out;
    for (const auto& [peer, numbers] : in) unpack(numbers, shape_, out);
    return out;
  }

  World& world_;
  const Shape& shape_;
  Sent& sent_;
};

}  // namespace

std::string_view to_string(Way way) {
  constexpr std::array<std::string_view, 5> kNames{"per-token", "per-expert", "all-to-all", "two-level", "padded"};
  return kNames[static_cast<std::size_t>(way)];
}

std::vector<Item> exchange(World& world, Way way, const Shape& shape, const std::vector<Item>& items, Sent& sent) {
  return Exchange(world, shape, sent).run(way, items);
}
