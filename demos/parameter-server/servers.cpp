// The servers and their workers: first those that add up everybody's gradients in every step, then those that wait for nobody,
// or for somebody who is too far behind.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>

#include "demos/p2p/results.h"
#include "demos/parameter-server/asynchronous.h"
#include "demos/parameter-server/synchronous.h"

using namespace p2p;

namespace {

/// A vector in equal parts, each with storage of its own.
class Parts {
 public:
  Parts(std::int64_t bytes, int parts) {
    const auto each = std::max<std::int64_t>(bytes / static_cast<std::int64_t>(sizeof(float)) / parts, 1);
    for (int i = 0; i < parts; ++i) parts_.push_back(Tensor::zeros({each}));
  }
  Tensor& operator[](int i) { return parts_[static_cast<std::size_t>(i)]; }
  int count() const { return static_cast<int>(parts_.size()); }
  /// The gradient of a worker.
  void fill(int worker) {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      std::size_t i = p;
      for (float& number : parts_[p].f32()) number = static_cast<float>(worker + 1) + static_cast<float>(i++ % 7);
    }
  }
  /// Whether it is the sum of the gradients of all workers; they are whole numbers, so that no order of adding is better.
  bool is_sum(int workers) const {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      std::size_t i = p;
      for (const float number : parts_[p].f32())  // of the first terms 1 + 2 + … + n, of the second n times the same
        if (number != static_cast<float>(workers * (workers + 1)) / 2 + static_cast<float>(workers) * static_cast<float>(i++ % 7)) return false;
    }
    return true;
  }

 private:
  std::vector<Tensor> parts_;
};

void add(Tensor& to, const Tensor& what) {
  const auto sum = to.f32();
  const auto other = what.f32();
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += other[i];
}

/// What passes this rank's port.
struct Port {
  double out = 0, in = 0;
  void sends(const Tensor& tensor) { out += static_cast<double>(tensor.nbytes()); }
  void receives(const Tensor& tensor) { in += static_cast<double>(tensor.nbytes()); }
};

/// Times one way over all ranks. `step` leaves the sum in `result` on every worker.
Cost measured(World& world, int workers, Parts& result, const std::function<void(Port&)>& step) {
  const auto rounds = static_cast<int>(world.knob("iterations", 3));
  std::vector<double> times;
  Port port;
  for (int round = 0; round < rounds; ++round) {
    port = {};
    world.barrier();
    const std::int64_t begin = world.now_ns();
    step(port);
    times.push_back(largest_of_all_ranks(world, static_cast<double>(world.now_ns() - begin)));
    let_lab_catch_up();
    // Where time is exact each round takes as long as the one before, and one more would say nothing new.
    if (round > 0 && times[times.size() - 1] == times[times.size() - 2]) break;
  }
  if (world.rank() < workers && !result.is_sum(workers)) throw std::runtime_error("A worker ended with a wrong sum.");
  Cost out;
  out.time_ns = median(times);
  for (const double bytes : of_all_ranks(world, port.out)) out.total_bytes += bytes, out.hottest_bytes = std::max(out.hottest_bytes, bytes);
  out.hottest_bytes = std::max(out.hottest_bytes, largest_of_all_ranks(world, port.in));
  return out;
}

// [servers]
/// Worker: receives for all that will be pulled, then push by push. One at a time and each worker beginning with another
/// server, so that no port is asked by all at once.
void push_and_pull(World& world, int workers, int servers, Parts& gradient, Parts& sum, Port& port) {
  std::vector<Work> pulls;
  for (int part = 0; part < sum.count(); ++part) {
    pulls.push_back(world.irecv(sum[part], workers + part % servers));
    port.receives(sum[part]);
  }
  for (int chunk = 0; chunk < gradient.count() / servers; ++chunk)
    for (int turn = 0; turn < servers; ++turn) {
      const int server = (world.rank() + turn) % servers, part = chunk * servers + server;
      world.send(gradient[part], workers + server);
      port.sends(gradient[part]);
    }
  world.wait_all(pulls);
}

/// Server: as soon as a chunk has come from all workers its sum goes back, while the next one comes.
void serve(World& world, int workers, int servers, Parts& shape, Port& port) {
  const int own = world.rank() - workers, chunks = shape.count() / servers;
  std::vector<std::vector<Tensor>> pushed(static_cast<std::size_t>(chunks));
  std::vector<std::vector<Work>> pushes(pushed.size());
  for (std::size_t chunk = 0; chunk < pushed.size(); ++chunk)
    for (int worker = 0; worker < workers; ++worker) {
      pushed[chunk].push_back(Tensor::zeros({static_cast<std::int64_t>(shape[0].numel())}));
      pushes[chunk].push_back(world.irecv(pushed[chunk].back(), worker));
      port.receives(pushed[chunk].back());
    }
  for (std::size_t chunk = 0; chunk < pushed.size(); ++chunk) {
    world.wait_all(pushes[chunk]);
    Tensor& sum = pushed[chunk].front();
    for (std::size_t other = 1; other < pushed[chunk].size(); ++other) add(sum, pushed[chunk][other]);
    for (int turn = 0; turn < workers; ++turn) {
      world.send(sum, (own + turn) % workers);
      port.sends(sum);
    }
  }
}
// [end]

// [shards]
/// Every worker pushes to every shard and pulls from it, round by round: in each a rank sends one part and receives one.
void push_to_shards(World& world, int workers, int shards, Parts& gradient, Parts& sum, Port& port) {
  const int rank = world.rank();
  const auto round = [&](Tensor* out, int to, Tensor* in, int from) {
    std::vector<P2POp> ops;
    if (out != nullptr) ops.push_back({P2POp::Type::isend, *out, to}), port.sends(*out);
    if (in != nullptr) ops.push_back({P2POp::Type::irecv, *in, from}), port.receives(*in);
    if (!ops.empty()) world.sendrecv(ops);
  };
  const bool serves = rank < shards;
  Tensor room = gradient[0].clone();
  if (serves) std::copy(gradient[rank].f32().begin(), gradient[rank].f32().end(), sum[rank].f32().begin());
  for (int turn = 1; turn < workers; ++turn) {  // push: a reduce-scatter
    const int to = (rank + turn) % workers, from = (rank + workers - turn) % workers;
    round(to < shards ? &gradient[to] : nullptr, to, serves ? &room : nullptr, from);
    if (serves) add(sum[rank], room);
  }
  for (int turn = 1; turn < workers; ++turn) {  // pull: an all-gather
    const int to = (rank + turn) % workers, from = (rank + workers - turn) % workers;
    round(serves ? &sum[rank] : nullptr, to, from < shards ? &sum[from] : nullptr, from);
  }
}
// [end]

// [ring]
void around(World& world, int workers, Parts& sum, Port& port) {
  const int rank = world.rank(), next = (rank + 1) % workers, prev = (rank + workers - 1) % workers;
  const auto at = [&](int i) -> Tensor& { return sum[((i % workers) + workers) % workers]; };
  Tensor room = sum[0].clone();
  const auto exchange = [&](Tensor& out, Tensor& in) {
    world.sendrecv(std::array<P2POp, 2>{{{P2POp::Type::isend, out, next}, {P2POp::Type::irecv, in, prev}}});
    port.sends(out);
    port.receives(in);
  };
  for (int step = 0; step + 1 < workers; ++step) {
    exchange(at(rank - step), room);
    add(at(rank - step - 1), room);
  }
  for (int step = 0; step + 1 < workers; ++step) exchange(at(rank + 1 - step), at(rank - step));
}
// [end]

/// What is learned: the x with the least 1/2 |x - optimum|^2, whose gradient is x - optimum.
float optimum(std::size_t i) { return 1 + static_cast<float>(i % 5); }

/// Parameters or a gradient, and the number of the version that they belong to, in one message.
struct Letter {
  explicit Letter(std::size_t count) : tensor(Tensor::zeros({static_cast<std::int64_t>(count) + 1})) {}
  std::span<float> numbers() const { return tensor.f32().first(tensor.numel() - 1); }
  float& version() const { return tensor.f32().back(); }
  Tensor tensor;
};

std::size_t count_of(const AsyncOptions& options) { return static_cast<std::size_t>(std::max<std::int64_t>(options.bytes / static_cast<std::int64_t>(sizeof(float)) - 1, 1)); }

// [worker]
AsyncResult work(World& world, const AsyncOptions& options) {
  const int server = world.size() - 1;
  Letter parameters(count_of(options)), gradient(count_of(options));
  Stream compute = world.stream("compute");
  compute.synchronize();  // its thread has begun
  const auto duration = world.rank() == 0 ? options.slow_compute : options.compute;
  const std::int64_t begin = world.now_ns();
  AsyncResult out;
  for (int step = 0; step < options.steps; ++step) {
    const std::int64_t start = world.now_ns();
    world.compute({Kind::compute, "gradient", step}, duration, [&] {
      const auto x = parameters.numbers(), slope = gradient.numbers();
      for (std::size_t i = 0; i < x.size(); ++i) slope[i] = x[i] - optimum(i);
      gradient.version() = parameters.version();
    });
    compute.synchronize();
    out.compute_ns += world.now_ns() - start;
    world.send(gradient.tensor, server);     // push
    world.recv(parameters.tensor, server);   // pull: others may have pushed meanwhile
  }
  out.waiting_ns = world.now_ns() - begin - out.compute_ns;
  return out;
}
// [end]

/// The server's parameters, changed by one push at a time.
class Parameters {
 public:
  Parameters(std::size_t count, int workers, const AsyncOptions& options)
      : x_(count), pushes_(static_cast<std::size_t>(workers), 0), rate_(options.rate), ahead_(options.ahead) {
    note_loss();
  }

  /// `seen`: what the worker was given last, which its gradient must belong to.
  void apply(std::size_t worker, const Letter& gradient, const Letter& seen) {
    const std::lock_guard lock(mutex_);
    const auto slope = gradient.numbers(), then = seen.numbers();
    for (std::size_t i = 0; i < x_.size(); ++i) {
      if (slope[i] != then[i] - optimum(i)) wrong_ = true;
      x_[i] -= rate_ * slope[i];
    }
    wrong_ = wrong_ || gradient.version() != seen.version();
    result_.staleness.add(version_ - static_cast<int>(gradient.version()));
    ++version_;
    ++pushes_[worker];
    if (ahead_ && *std::min_element(pushes_.begin(), pushes_.end()) < pushes_[worker] - *ahead_) ++result_.held;
    note_loss();
  }
  void copy_to(const Letter& letter) {
    const std::lock_guard lock(mutex_);
    std::copy(x_.begin(), x_.end(), letter.numbers().begin());
    letter.version() = static_cast<float>(version_);
  }
  AsyncResult result() const {
    if (wrong_) throw std::runtime_error("A gradient came that does not belong to the parameters it names.");
    return result_;
  }

 private:
  void note_loss() {
    double sum = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) sum += std::pow(static_cast<double>(x_[i] - optimum(i)), 2);
    result_.losses.push_back(sum / static_cast<double>(x_.size()));
  }
  std::mutex mutex_;
  std::vector<float> x_;
  std::vector<int> pushes_;  ///< applied, by worker
  float rate_;
  std::optional<int> ahead_;
  int version_ = 0;
  bool wrong_ = false;
  AsyncResult result_;
};

// [server]
/// One stream per worker, as nobody knows who pushes next. The only difference between no limit and a bounded delay is what
/// an answer waits for: the others' pushes of `ahead` steps before.
AsyncResult serve(World& world, const AsyncOptions& options) {
  const std::size_t count = count_of(options);
  const int workers = world.size() - 1;
  Parameters parameters(count, workers, options);
  std::vector<Stream> streams;
  std::vector<Letter> gradients, answers;
  for (int worker = 0; worker < workers; ++worker) {
    streams.push_back(world.stream("worker " + std::to_string(worker)));
    gradients.emplace_back(count);
    answers.emplace_back(count);  // version 0 is all zeros, with which every worker begins
  }
  std::vector<std::vector<Event>> applied(static_cast<std::size_t>(options.steps));
  for (int step = 0; step < options.steps; ++step) {
    const auto now = static_cast<std::size_t>(step);
    for (std::size_t worker = 0; worker < streams.size(); ++worker) {
      world.irecv(gradients[worker].tensor, static_cast<int>(worker), 0, &streams[worker]);
      world.compute({Kind::optimizer, "apply", step}, {}, [&, worker] { parameters.apply(worker, gradients[worker], answers[worker]); }, &streams[worker]);
      applied[now].push_back(streams[worker].record());
    }
    for (std::size_t worker = 0; worker < streams.size(); ++worker) {
      if (options.ahead && step >= *options.ahead)
        for (const Event& other : applied[static_cast<std::size_t>(step - *options.ahead)]) streams[worker].wait(other);
      // A nanosecond apart: where time is exact, two answers of the same instant would go out in any order.
      world.compute({Kind::compute, "answer", step}, std::chrono::nanoseconds(worker + 1), [&, worker] { parameters.copy_to(answers[worker]); }, &streams[worker]);
      world.isend(answers[worker].tensor, static_cast<int>(worker), 0, &streams[worker]);
    }
  }
  for (Stream& stream : streams) stream.synchronize();
  return parameters.result();
}
// [end]

}  // namespace

void connect_all(World& world) {
  std::vector<Tensor> rooms;
  std::vector<P2POp> ops;
  for (int peer = 0; peer < world.size(); ++peer) {
    if (peer == world.rank()) continue;
    ops.push_back({P2POp::Type::irecv, rooms.emplace_back(Tensor::zeros({1})), peer});
    ops.push_back({P2POp::Type::isend, Tensor::zeros({1}), peer});
  }
  world.batch_isend_irecv(ops).wait();
}

Cost separate_servers(World& world, int workers, int servers, std::int64_t bytes, int chunks) {
  Parts gradient(bytes, servers * chunks), sum(bytes, servers * chunks);
  gradient.fill(world.rank());
  return measured(world, workers, sum, [&](Port& port) {
    if (world.rank() < workers) push_and_pull(world, workers, servers, gradient, sum, port);
    else if (world.rank() < workers + servers) serve(world, workers, servers, gradient, port);
  });
}

Cost shards_on_workers(World& world, int workers, int shards, std::int64_t bytes) {
  Parts gradient(bytes, shards), sum(bytes, shards);
  gradient.fill(world.rank());
  return measured(world, workers, sum, [&](Port& port) {
    if (world.rank() < workers) push_to_shards(world, workers, shards, gradient, sum, port);
  });
}

Cost ring(World& world, int workers, std::int64_t bytes) {
  Parts sum(bytes, workers);
  return measured(world, workers, sum, [&](Port& port) {
    sum.fill(world.rank());
    if (world.rank() < workers) around(world, workers, sum, port);
  });
}

AsyncResult train(World& world, const AsyncOptions& options) {
  return world.rank() == world.size() - 1 ? serve(world, options) : work(world, options);
}
