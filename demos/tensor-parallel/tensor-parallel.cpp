// An MLP block, Y = gelu(X A) B, forward and backward, cut over all ranks in several ways. What each way sends, how long it
// takes, and whether it comes to what one rank alone would have computed.
#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

#include "demos/p2p/results.h"
#include "demos/p2p/world.h"
#include "demos/tensor-parallel/block.h"

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

  /// A matrix product on the stream `compute`, which takes its share of the time that one rank would need.
  template <class Product>
  Matrix compute(Kind kind, const char* name, Product product) {
    Matrix out;
    world_.compute({kind, name}, product_, [&] { out = product(); });
    compute_.synchronize();
    return out;
  }

  /// The sum over all ranks, on every rank.
  Matrix all_reduce(const Matrix& part) {
    Tensor tensor = Tensor::of(part.data);
    timed([&] { world_.all_reduce(tensor); }, 2 * rest() * static_cast<double>(tensor.nbytes()));
    return from(tensor, part.rows, part.columns);
  }
  /// Every rank's columns side by side, on every rank.
  Matrix all_gather(const Matrix& part) {
    const Tensor mine = Tensor::of(part.data);
    Tensor all = Tensor::zeros({static_cast<std::int64_t>(part.data.size() * ranks())});
    timed([&] { world_.all_gather(all, mine); }, rest() * static_cast<double>(all.nbytes()));
    return side_by_side(from(all, part.rows * ranks(), part.columns), ranks());
  }
  /// The sum over all ranks, of which each rank gets its own columns.
  Matrix reduce_scatter(const Matrix& part) {
    const Tensor whole = Tensor::of(in_blocks(part, ranks()).data);
    Tensor mine = Tensor::zeros({static_cast<std::int64_t>(part.data.size() / ranks())});
    timed([&] { world_.reduce_scatter(mine, whole); }, rest() * static_cast<double>(whole.nbytes()));
    return from(mine, part.rows, part.columns / ranks());
  }
  // [p2p]
  /// The sum over all ranks by messages: everybody sends its part to everybody.
  Matrix exchange_and_add(const Matrix& part) {
    const Tensor mine = Tensor::of(part.data);
    std::vector<Tensor> others;
    std::vector<P2POp> ops;
    for (int peer = 0; peer < world_.size(); ++peer) {
      if (peer == world_.rank()) continue;
      others.push_back(Tensor::zeros({static_cast<std::int64_t>(part.data.size())}));
      ops.push_back({P2POp::Type::irecv, others.back(), peer});
    }
    for (int step = 1; step < world_.size(); ++step)  // each begins with another one: no port is asked by all at once
      ops.push_back({P2POp::Type::isend, mine, (world_.rank() + step) % world_.size()});
    const std::int64_t begin = world_.now_ns();
    world_.batch_isend_irecv(ops).wait();
    cost_.time_ns += world_.now_ns() - begin;
    cost_.messages += static_cast<int>(others.size());
    cost_.sent_bytes += static_cast<double>(mine.nbytes() * others.size());
    Matrix sum = part;
    for (const Tensor& other : others) {
      const auto numbers = other.f32();
      for (std::size_t i = 0; i < sum.data.size(); ++i) sum.data[i] += numbers[i];
    }
    return sum;
  }
  // [end]

 private:
  double rest() const { return static_cast<double>(ranks() - 1) / static_cast<double>(ranks()); }
  template <class Call>
  void timed(Call call, double bytes) {
    const std::int64_t begin = world_.now_ns();
    call();
    cost_.time_ns += world_.now_ns() - begin;
    cost_.sent_bytes += bytes;
    ++cost_.collectives;
  }
  static Matrix from(const Tensor& tensor, std::size_t rows, std::size_t columns) {
    Matrix out(rows, columns);
    std::copy(tensor.f32().begin(), tensor.f32().end(), out.data.begin());
    return out;
  }

  World& world_;
  Stream compute_;
  std::chrono::nanoseconds product_;
  Cost cost_;
};

using Sum = Matrix (Rank::*)(const Matrix&);

// [megatron]
/// A by columns, B by the same rows: nothing to say in between, and one sum each way.
void columns_then_rows(Rank& rank, const Matrix& x, const Weights& own, const Matrix& dy, Sum sum, Step& out, Cost& forward, Cost& backward) {
  const Matrix h = rank.compute(Kind::forward, "X A", [&] { return multiply(x, own.a); });
  const Matrix g = gelu(h);  // of whole columns: no other rank is needed
  const Matrix part = rank.compute(Kind::forward, "gelu B", [&] { return multiply(g, own.b); });
  out.y = (rank.*sum)(part);
  forward = std::exchange(rank.cost(), {});
  const Matrix dg = rank.compute(Kind::backward, "dG", [&] { return multiply_transposed(dy, own.b); });
  const Matrix dh = gelu_backward(h, dg);
  const Matrix part_dx = rank.compute(Kind::backward, "dX", [&] { return multiply_transposed(dh, own.a); });
  out.dx = (rank.*sum)(part_dx);
  out.db = rank.compute(Kind::weight, "dB", [&] { return transposed_multiply(g, dy); });
  out.da = rank.compute(Kind::weight, "dA", [&] { return transposed_multiply(x, dh); });
  backward = std::exchange(rank.cost(), {});
}

void megatron(Rank& rank, const Matrix& x, const Weights& own, const Matrix& dy, Step& out, Cost& forward, Cost& backward) {
  columns_then_rows(rank, x, own, dy, &Rank::all_reduce, out, forward, backward);
}
// [end]

void p2p_exchange(Rank& rank, const Matrix& x, const Weights& own, const Matrix& dy, Step& out, Cost& forward, Cost& backward) {
  columns_then_rows(rank, x, own, dy, &Rank::exchange_and_add, out, forward, backward);
}

// [forgotten]
void forgotten(Rank& rank, const Matrix& x, const Weights& own, const Matrix& dy, Step& out, Cost& forward, Cost& backward) {
  const Matrix h = rank.compute(Kind::forward, "X A", [&] { return multiply(x, own.a); });
  const Matrix g = gelu(h);
  out.y = rank.compute(Kind::forward, "gelu B", [&] { return multiply(g, own.b); });  // a part of the sum, of the right shape
  forward = std::exchange(rank.cost(), {});
  const Matrix dh = gelu_backward(h, rank.compute(Kind::backward, "dG", [&] { return multiply_transposed(dy, own.b); }));
  out.dx = rank.compute(Kind::backward, "dX", [&] { return multiply_transposed(dh, own.a); });
  out.db = rank.compute(Kind::weight, "dB", [&] { return transposed_multiply(g, dy); });
  out.da = rank.compute(Kind::weight, "dA", [&] { return transposed_multiply(x, dh); });
  backward = std::exchange(rank.cost(), {});
}
// [end]

// [gather]
void gather(Rank& rank, const Matrix& x, const Weights& own, const Matrix& dy, Step& out, Cost& forward, Cost& backward) {
  const Matrix h = rank.compute(Kind::forward, "X A", [&] { return multiply(x, own.a); });
  const Matrix g = gelu(rank.all_gather(h));  // four times as wide as X
  const Matrix y = rank.compute(Kind::forward, "gelu B", [&] { return multiply(g, own.b); });
  out.y = rank.all_gather(y);
  forward = std::exchange(rank.cost(), {});
  // The way back of a gather is a sum of which each keeps its own part.
  const Matrix own_dy = columns_of(dy, rank.index() * own.b.columns, own.b.columns);
  const Matrix dg = rank.compute(Kind::backward, "dG", [&] { return multiply_transposed(own_dy, own.b); });
  const Matrix dh = gelu_backward(h, rank.reduce_scatter(dg));
  const Matrix dx = rank.compute(Kind::backward, "dX", [&] { return multiply_transposed(dh, own.a); });
  out.dx = rank.all_reduce(dx);
  out.db = rank.compute(Kind::weight, "dB", [&] { return transposed_multiply(g, own_dy); });
  out.da = rank.compute(Kind::weight, "dA", [&] { return transposed_multiply(x, dh); });
  backward = std::exchange(rank.cost(), {});
}
// [end]

struct Way {
  std::string_view id;
  void (*step)(Rank&, const Matrix&, const Weights&, const Matrix&, Step&, Cost&, Cost&);
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
  Measured out;
  Step step;
  std::vector<double> times, talks;
  for (int round = -1; round < rounds; ++round) {  // the first one makes the connections
    world.barrier();
    const std::int64_t begin = world.now_ns();
    way.step(rank, x, own, dy, step, out.forward, out.backward);
    const auto time = static_cast<double>(world.now_ns() - begin);
    const double slowest = largest_of_all_ranks(world, time), talk = largest_of_all_ranks(world, static_cast<double>(out.forward.time_ns + out.backward.time_ns));
    if (round >= 0) times.push_back(slowest), talks.push_back(talk);
    let_lab_catch_up();
  }
  const Step right = whole_step(x, whole, dy);
  const Matrix right_db = way.rows ? rows_of(right.db, r * part, part) : columns_of(right.db, r * narrow, narrow);
  out.error = std::max({largest_difference(step.y, right.y), largest_difference(step.dx, right.dx), largest_difference(step.db, right_db),
                        largest_difference(step.da, columns_of(right.da, r * part, part))});
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

int main(int argc, char** argv) { return run(argc, argv, compare); }
