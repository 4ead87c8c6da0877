// An MLP block, Y = gelu(X A) B, forward and backward, cut over all ranks in several ways. What each way sends, how long it
// takes, and whether it comes to what one rank alone would have computed.
#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

#include "demos/p2p/results.h"
#include "demos/p2p/rules.h"
#include "demos/tensor-parallel/placed.h"

using namespace p2p;

namespace {

/// What one direction of a step cost in communication.
struct Cost {
  int collectives = 0, messages = 0;
  double sent_bytes = 0;  ///< by this rank; of collectives what a ring sends
  std::int64_t time_ns = 0;
};

/// The rank's computation and its communication, counted.
class Rank {
 public:
  Rank(World& world, std::chrono::nanoseconds product) : world_(world), compute_(world.stream("compute")), product_(product / world.size()) {}

  std::size_t index() const { return static_cast<std::size_t>(world_.rank()); }
  std::size_t ranks() const { return static_cast<std::size_t>(world_.size()); }
  Cost& cost() { return cost_; }

  /// A matrix product, and what goes with it, on the stream `compute`: it takes its share of the time that one rank would need.
  void compute(Kind kind, const char* name, std::vector<Kernel> kernels) {
    world_.launch({kind, name}, product_, std::move(kernels));
    compute_.synchronize();
  }

  /// The sum over all ranks, on every rank, in its place.
  void all_reduce(Placed& part) {
    timed([&] { world_.all_reduce(part.tensor); }, 2 * rest() * static_cast<double>(part.tensor.nbytes()));
  }
  /// Every rank's columns side by side, on every rank.
  Placed all_gather(const Placed& part) {
    Placed blocks = room(part.rows * ranks(), part.columns), all = room(part.rows, part.columns * ranks());
    timed([&] { world_.all_gather(blocks.tensor, part.tensor); }, rest() * static_cast<double>(all.tensor.nbytes()));
    arrange(side_by_side(blocks, ranks(), all));
    return all;
  }
  /// The sum over all ranks, of which each rank gets its own columns.
  Placed reduce_scatter(const Placed& part) {
    const Placed blocks = room(part.rows * ranks(), part.columns / ranks());
    Placed mine = room(part.rows, part.columns / ranks());
    arrange(in_blocks(part, ranks(), blocks));
    timed([&] { world_.reduce_scatter(mine.tensor, blocks.tensor); }, rest() * static_cast<double>(blocks.tensor.nbytes()));
    return mine;
  }
  /// This rank's columns.
  Placed own_columns(const Placed& whole, std::size_t columns) {
    Placed mine = room(whole.rows, columns);
    arrange(columns_of(whole, index() * columns, mine));
    return mine;
  }
  // [p2p]
  /// The sum over all ranks by messages: everybody sends its part to everybody.
  void exchange_and_add(Placed& part) {
    std::vector<Tensor> others;
    std::vector<P2POp> ops;
    for (int peer = 0; peer < world_.size(); ++peer) {
      if (peer == world_.rank()) continue;
      others.push_back(room(part.rows, part.columns).tensor);
      ops.push_back({P2POp::Type::irecv, others.back(), peer});
    }
    for (int step = 1; step < world_.size(); ++step)  // each begins with another one: no port is asked by all at once
      ops.push_back({P2POp::Type::isend, part.tensor, (world_.rank() + step) % world_.size()});
    const std::int64_t begin = world_.now_ns();
    world_.batch_isend_irecv(ops).wait();
    finish(world_);
    cost_.time_ns += world_.now_ns() - begin;
    cost_.messages += static_cast<int>(others.size());
    cost_.sent_bytes += static_cast<double>(part.tensor.nbytes() * others.size());
    std::vector<Kernel> sums;
    for (const Tensor& other : others) sums.push_back(add(part, other));
    arithmetic(world_, {Kind::compute, "add"}, sums);
    finish(world_);
  }
  // [end]

 private:
  double rest() const { return static_cast<double>(ranks() - 1) / static_cast<double>(ranks()); }
  template <class Call>
  void timed(Call call, double bytes) {
    const std::int64_t begin = world_.now_ns();
    call();
    finish(world_);
    cost_.time_ns += world_.now_ns() - begin;
    cost_.sent_bytes += bytes;
    ++cost_.collectives;
  }
  /// Numbers in another order, before or after a collective.
  void arrange(const Kernel& kernel) {
    arithmetic(world_, {Kind::copy, "arrange"}, {kernel});
    finish(world_);
  }

  World& world_;
  Stream compute_;
  std::chrono::nanoseconds product_;
  Cost cost_;
};

/// What the cuts begin with and come to. X and dY are whole on every rank, A and B its own parts.
struct Cut {
  Placed x, dy, a, b;
  Placed y, dx, da, db;
  Cut(const Matrix& input, const Matrix& gradient, const Weights& own)
      : x(place(input)), dy(place(gradient)), a(place(own.a)), b(place(own.b)), y(room(x.rows, x.columns)), dx(room(x.rows, x.columns)),
        da(room(a.rows, a.columns)), db(room(b.rows, b.columns)) {}
};

using Sum = void (Rank::*)(Placed&);

// [megatron]
/// A by columns, B by the same rows: nothing to say in between, and one sum each way.
void columns_then_rows(Rank& rank, Cut& c, Sum sum, Cost& forward, Cost& backward) {
  const Placed h = room(c.x.rows, c.a.columns), g = room(h.rows, h.columns), dh = room(h.rows, h.columns);
  rank.compute(Kind::forward, "X A", {product(c.x, c.a, h)});
  rank.compute(Kind::forward, "gelu B", {gelu(h, g), product(g, c.b, c.y)});  // gelu of whole columns: no other rank is needed
  (rank.*sum)(c.y);
  forward = std::exchange(rank.cost(), {});
  rank.compute(Kind::backward, "dG", {product(c.dy, transposed(c.b), dh), gelu_backward(h, dh, dh)});
  rank.compute(Kind::backward, "dX", {product(dh, transposed(c.a), c.dx)});
  (rank.*sum)(c.dx);
  rank.compute(Kind::weight, "dB", {product(transposed(g), c.dy, c.db)});
  rank.compute(Kind::weight, "dA", {product(transposed(c.x), dh, c.da)});
  backward = std::exchange(rank.cost(), {});
}

void megatron(Rank& rank, Cut& c, Cost& forward, Cost& backward) { columns_then_rows(rank, c, &Rank::all_reduce, forward, backward); }
// [end]

void p2p_exchange(Rank& rank, Cut& c, Cost& forward, Cost& backward) { columns_then_rows(rank, c, &Rank::exchange_and_add, forward, backward); }

// [forgotten]
void forgotten(Rank& rank, Cut& c, Cost& forward, Cost& backward) {
  const Placed h = room(c.x.rows, c.a.columns), g = room(h.rows, h.columns), dh = room(h.rows, h.columns);
  rank.compute(Kind::forward, "X A", {product(c.x, c.a, h)});
  rank.compute(Kind::forward, "gelu B", {gelu(h, g), product(g, c.b, c.y)});  // a part of the sum, of the right shape
  forward = std::exchange(rank.cost(), {});
  rank.compute(Kind::backward, "dG", {product(c.dy, transposed(c.b), dh), gelu_backward(h, dh, dh)});
  rank.compute(Kind::backward, "dX", {product(dh, transposed(c.a), c.dx)});
  rank.compute(Kind::weight, "dB", {product(transposed(g), c.dy, c.db)});
  rank.compute(Kind::weight, "dA", {product(transposed(c.x), dh, c.da)});
  backward = std::exchange(rank.cost(), {});
}
// [end]

// [gather]
void gather(Rank& rank, Cut& c, Cost& forward, Cost& backward) {
  const Placed h = room(c.x.rows, c.a.columns), y = room(c.x.rows, c.b.columns);
  rank.compute(Kind::forward, "X A", {product(c.x, c.a, h)});
  const Placed g = rank.all_gather(h);  // four times as wide as X
  rank.compute(Kind::forward, "gelu B", {gelu(g, g), product(g, c.b, y)});
  c.y = rank.all_gather(y);
  forward = std::exchange(rank.cost(), {});
  // The way back of a gather is a sum of which each keeps its own part.
  const Placed dy = rank.own_columns(c.dy, c.b.columns), dg = room(g.rows, g.columns);
  rank.compute(Kind::backward, "dG", {product(dy, transposed(c.b), dg)});
  const Placed dh = rank.reduce_scatter(dg);
  rank.compute(Kind::backward, "dX", {gelu_backward(h, dh, dh), product(dh, transposed(c.a), c.dx)});
  rank.all_reduce(c.dx);
  rank.compute(Kind::weight, "dB", {product(transposed(g), dy, c.db)});
  rank.compute(Kind::weight, "dA", {product(transposed(c.x), dh, c.da)});
  backward = std::exchange(rank.cost(), {});
}
// [end]

struct Way {
  std::string_view id;
  void (*step)(Rank&, Cut&, Cost&, Cost&);
  bool rows;  ///< B is cut by rows, else by columns
};
constexpr Way kWays[]{{"megatron", megatron, true}, {"gather", gather, false}, {"p2p", p2p_exchange, true}, {"forgotten", forgotten, true}};

struct Measured {
  Cost forward, backward;
  double step_ns = 0, communication_ns = 0;
  float error = 0;
};

Measured measure(World& world, const Way& way, std::size_t tokens, std::size_t hidden, int rounds) {
  const auto t = static_cast<std::size_t>(world.size()), r = static_cast<std::size_t>(world.rank()), wide = 4 * hidden;
  const Matrix x = numbers(tokens, hidden, 1), dy = numbers(tokens, hidden, 2);
  const Weights whole{numbers(hidden, wide, 3), numbers(wide, hidden, 4)};
  const std::size_t part = wide / t, narrow = hidden / t;
  const Weights own{columns_of(whole.a, r * part, part), way.rows ? rows_of(whole.b, r * part, part) : columns_of(whole.b, r * narrow, narrow)};
  Rank rank(world, std::chrono::microseconds(world.knob("compute_us", 400)));
  Cut cut(x, dy, own);
  Measured out;
  std::vector<double> times, talks;
  for (int round = -1; round < rounds; ++round) {  // the first one makes the connections
    world.barrier();
    const std::int64_t begin = world.now_ns();
    way.step(rank, cut, out.forward, out.backward);
    finish(world);
    const auto time = static_cast<double>(world.now_ns() - begin);
    const double slowest = largest_of_all_ranks(world, time), talk = largest_of_all_ranks(world, static_cast<double>(out.forward.time_ns + out.backward.time_ns));
    if (round >= 0) times.push_back(slowest), talks.push_back(talk);
    let_lab_catch_up();
  }
  const Step right = whole_step(x, whole, dy);
  const Matrix right_db = way.rows ? rows_of(right.db, r * part, part) : columns_of(right.db, r * narrow, narrow);
  out.error = std::max({largest_difference(fetch(cut.y), right.y), largest_difference(fetch(cut.dx), right.dx), largest_difference(fetch(cut.db), right_db),
                        largest_difference(fetch(cut.da), columns_of(right.da, r * part, part))});
  out.step_ns = median(times);
  out.communication_ns = median(talks);
  return out;
}

void compare(World& world) {
  const auto variant = world.knob("variant", "all");
  const auto t = static_cast<std::int64_t>(world.size());
  const std::int64_t smallest = world.knob("min_tokens", 4), largest = world.knob("max_tokens", 1024);
  const auto hidden = static_cast<std::size_t>((world.knob("hidden", 64) + t - 1) / t * t);  // every rank gets the same share
  const auto rounds = static_cast<int>(world.knob("iterations", 3));
  std::map<std::string_view, Measured> last;
  float error = 0;
  for (std::int64_t tokens = smallest; tokens <= largest; tokens *= 4)
    for (const Way& way : kWays) {
      if (variant == "all" ? way.step == forgotten : variant != way.id) continue;
      const Measured m = measure(world, way, static_cast<std::size_t>(tokens), hidden, rounds);
      last[way.id] = m;
      error = std::max(error, static_cast<float>(largest_of_all_ranks(world, static_cast<double>(m.error))));
      if (world.rank() == 0)
        row(world, "table", {{"bytes", tokens * static_cast<std::int64_t>(hidden * sizeof(float))}, {"way", way.id}, {"tokens", tokens},
                             {"sent_bytes", m.forward.sent_bytes + m.backward.sent_bytes}, {"communication_ns", m.communication_ns}, {"step_ns", m.step_ns}});
    }
  if (last.empty()) throw std::runtime_error("The demo tensor-parallel has no variant '" + variant + "'; see p2plab demos.");
  if (world.rank() != 0) return;
  for (const Way& way : kWays) {
    const auto found = last.find(way.id);
    if (found == last.end()) continue;
    const Measured& m = found->second;
    row(world, "ways", {{"way", way.id}, {"forward_bytes", m.forward.sent_bytes}, {"backward_bytes", m.backward.sent_bytes},
                        {"forward_collectives", m.forward.collectives}, {"backward_collectives", m.backward.collectives},
                        {"message_count", m.forward.messages + m.backward.messages}});
  }
  const Measured& shown = variant == "all" ? last.at("megatron") : last.begin()->second;
  world.metric("forward_collectives", shown.forward.collectives);
  world.metric("backward_collectives", shown.backward.collectives);
  world.metric("message_count", shown.forward.messages + shown.backward.messages);
  world.metric("sent_bytes", shown.forward.sent_bytes + shown.backward.sent_bytes);
  world.metric("communication_ns", shown.communication_ns);
  world.metric("grad_error", static_cast<double>(error));
  const auto bytes = [&](std::string_view way) { return last.at(way).forward.sent_bytes + last.at(way).backward.sent_bytes; };
  if (variant != "all" || bytes("megatron") <= 0) return;
  world.metric("gather_bytes_times", bytes("gather") / bytes("megatron"));
  world.metric("p2p_bytes_times", bytes("p2p") / bytes("megatron"));
  world.metric("gather_time_times", last.at("gather").communication_ns / last.at("megatron").communication_ns);
  world.metric("p2p_time_times", last.at("p2p").communication_ns / last.at("megatron").communication_ns);
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, compare, {.products = true}); }
