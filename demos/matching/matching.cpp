// Which receive gets which message? The pair of ranks, the tag, and the order of posting decide; nothing else does.
#include <array>
#include <map>
#include <stdexcept>
#include <string>

#include "demos/p2p/results.h"
#include "demos/p2p/world.h"

using namespace p2p;

namespace {

constexpr int kForward = 1, kBackward = 2;  ///< tags
const std::byte kActivation{0x0F}, kGradient{0xB0}, kLarge{0x11}, kSmall{0x22};

/// Counts the receives that got another message than the one meant for them.
class Checked {
 public:
  void expect(const Tensor& tensor, std::byte wanted) {
    const Tensor here = tensor.host();
    for (const std::byte b : here.bytes())
      if (b != wanted) {
        ++swapped_;
        return;
      }
  }
  int swapped() const { return swapped_; }

 private:
  int swapped_ = 0;
};

// [order]
void order(World& world, std::size_t bytes, Checked& checked) {
  Tensor large = Tensor::bytes_of(bytes, kLarge), small = Tensor::bytes_of(8, kSmall);
  if (world.rank() == 0) {
    Work first = world.isend(large, 1);
    Work second = world.isend(small, 1);  // could be there sooner, and may not overtake
    first.wait();
    second.wait();
  } else if (world.rank() == 1) {
    Tensor first = Tensor::bytes_of(bytes), second = Tensor::bytes_of(8);
    world.recv(first, 0);
    world.recv(second, 0);
    if (world.nccl_semantics()) world.stream("compute").synchronize();  // so far they were only enqueued
    checked.expect(first, kLarge);
    checked.expect(second, kSmall);
  }
}
// [end]

// [tags]
void tags(World& world, std::size_t bytes, Checked& checked) {
  if (world.rank() == 0) {
    Tensor activation = Tensor::bytes_of(bytes, kActivation), gradient = Tensor::bytes_of(bytes, kGradient);
    Work first = world.isend(activation, 1, kForward);
    Work second = world.isend(gradient, 1, kBackward);
    first.wait();
    second.wait();
  } else if (world.rank() == 1) {
    Tensor activation = Tensor::bytes_of(bytes), gradient = Tensor::bytes_of(bytes);
    Work wanted_first = world.irecv(gradient, 0, kBackward);  // by tag, not by order: under NCCL there is no tag
    Work wanted_second = world.irecv(activation, 0, kForward);
    wanted_first.wait();
    wanted_second.wait();
    if (world.nccl_semantics()) world.stream("compute").synchronize();
    checked.expect(gradient, kGradient);
    checked.expect(activation, kActivation);
  }
}
// [end]

/// One stage of a pipeline in a ring: activations to the next, gradients to the previous, and both from the other side.
void exchange(World& world, std::size_t bytes, Checked& checked, int forward_tag, int backward_tag, bool as_sent) {
  const int next = (world.rank() + 1) % world.size(), prev = (world.rank() + world.size() - 1) % world.size();
  Tensor activation = Tensor::bytes_of(bytes, kActivation), gradient = Tensor::bytes_of(bytes, kGradient);
  Tensor activation_in = Tensor::bytes_of(bytes), gradient_in = Tensor::bytes_of(bytes);
  std::array<P2POp, 4> ops{{{P2POp::Type::isend, activation, next, forward_tag},
                            {P2POp::Type::isend, gradient, prev, backward_tag},
                            {P2POp::Type::irecv, gradient_in, next, backward_tag},
                            {P2POp::Type::irecv, activation_in, prev, forward_tag}}};
  if (as_sent) std::swap(ops[2], ops[3]);
  Work work = world.batch_isend_irecv(ops);
  work.wait();
  if (world.nccl_semantics()) world.stream("compute").synchronize();
  checked.expect(activation_in, kActivation);
  checked.expect(gradient_in, kGradient);
}

// [two-ranks]
void two_ranks(World& world, std::size_t bytes, Checked& checked) {
  // With two stages next and previous are the same rank: its first message meets the first receive, whatever it is.
  exchange(world, bytes, checked, 0, 0, false);
}
// [end]

// [two-ranks-tagged]
void two_ranks_tagged(World& world, std::size_t bytes, Checked& checked) {
  exchange(world, bytes, checked, kForward, kBackward, false);  // where there are tags
}
// [end]

// [two-ranks-ordered]
void two_ranks_ordered(World& world, std::size_t bytes, Checked& checked) {
  exchange(world, bytes, checked, 0, 0, true);  // the receives in the order in which the peer sends
}
// [end]

// [any]
void any(World& world, std::size_t bytes, Checked& checked) {
  Tensor data = Tensor::bytes_of(bytes, static_cast<std::byte>(world.rank()));
  if (world.rank() != 0) {
    // Later ranks come earlier.
    world.pause(std::chrono::milliseconds(5) * (world.size() - world.rank()), "busy");
    world.send(data, 0);
    return;
  }
  std::vector<Tensor> from(static_cast<std::size_t>(world.size()));
  std::map<int, Work> open;
  for (int rank = 1; rank < world.size(); ++rank) {
    Tensor& room = from[static_cast<std::size_t>(rank)] = Tensor::bytes_of(bytes);
    open.emplace(rank, world.irecv(room, rank));  // a wildcard by hand: one receive per source, whichever is done first
  }
  for (int place = 1; !open.empty(); ++place) {
    int next = 0;
    while (next == 0)
      for (const auto& [rank, work] : open)
        if (work.is_completed()) next = rank;
    open.at(next).wait();
    open.erase(next);
    checked.expect(from[static_cast<std::size_t>(next)], static_cast<std::byte>(next));
    row(world, "arrivals", {{"place", "#" + std::to_string(place)}, {"source", next}});
  }
}
// [end]

using Variant = void (*)(World&, std::size_t, Checked&);
const std::map<std::string, Variant, std::less<>> kVariants{{"order", order}, {"tags", tags}, {"two-ranks", two_ranks}, {"two-ranks-tagged", two_ranks_tagged}, {"two-ranks-ordered", two_ranks_ordered}, {"any", any}};

void match(World& world) {
  const auto variant = kVariants.find(world.knob("variant", "two-ranks"));
  if (variant == kVariants.end()) throw std::runtime_error("The demo matching has no variant '" + world.knob("variant", "two-ranks") + "'; see p2plab demos.");
  Checked checked;
  world.barrier();
  variant->second(world, static_cast<std::size_t>(world.knob("bytes", 65536)), checked);
  if (world.nccl_semantics()) world.stream("compute").synchronize();
  world.metric("swapped_count", checked.swapped());
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, match); }
