// The arithmetic of rank programs that a GPU can run: each body is a function of one index, and the same text runs on the
// GPU (gpu/launch.cu) and, index after index, on the CPU. No body uses shared memory, warps or atomic operations.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#if !defined(__CUDACC__)
#include <sched.h>
#include <time.h>
#endif

#if defined(__CUDACC__)
#define P2P_BOTH __host__ __device__
#else
#define P2P_BOTH
#endif

namespace p2p::kernels {

/// The bytes of a microbatch: any two microbatches differ nearly everywhere.
P2P_BOTH inline unsigned char byte_of(std::uint64_t seed, int microbatch, std::size_t offset) {
  // One multiplicative mix (the constant of splitmix64) is enough to make neighbours and microbatches differ.
  std::uint64_t x = seed + 0x9E3779B97F4A7C15u * (static_cast<std::uint64_t>(microbatch) * 0x100000001B3u + offset + 1);
  x ^= x >> 31;
  x *= 0x94D049BB133111EBu;
  return static_cast<unsigned char>(x >> 56);
}

/// out[i]: byte i of the microbatch.
struct Fill {
  unsigned char* out;
  std::uint64_t seed;
  int microbatch;
  P2P_BOTH void operator()(std::size_t i) const { out[i] = byte_of(seed, microbatch, i); }
};

/// out[i]: a hash of every kParts-th byte from i on. All parts together change when any byte does.
struct Checksum {
  static constexpr std::size_t kParts = 512;
  const unsigned char* in;
  std::size_t bytes;
  std::uint64_t* out;
  P2P_BOTH void operator()(std::size_t i) const {
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (std::size_t at = i; at < bytes; at += kParts) hash = (hash ^ in[at]) * 0x100000001B3u;  // FNV-1a
    out[i] = hash;
  }
};

/// out[i] = value.
struct Set {
  float* out;
  float value;
  P2P_BOTH void operator()(std::size_t i) const { out[i] = value; }
};
/// to[i] = from[i].
struct Copy {
  const float* from;
  float* to;
  P2P_BOTH void operator()(std::size_t i) const { to[i] = from[i]; }
};
/// to[i] += from[i].
struct Add {
  float* to;
  const float* from;
  P2P_BOTH void operator()(std::size_t i) const { to[i] += from[i]; }
};

/// c = op(a) op(b), row after row; op transposes where it is said: op(a) has `rows` rows of `inner`, op(b) `inner` rows of
/// `columns`. i counts the elements of c.
struct Gemm {
  const float* a;
  const float* b;
  float* c;
  std::size_t rows, columns, inner;
  bool a_transposed = false, b_transposed = false;
  P2P_BOTH float left(std::size_t row, std::size_t k) const { return a_transposed ? a[k * rows + row] : a[row * inner + k]; }
  P2P_BOTH float right(std::size_t k, std::size_t column) const { return b_transposed ? b[column * inner + k] : b[k * columns + column]; }
  P2P_BOTH void operator()(std::size_t i) const {
    float sum = 0;
    for (std::size_t k = 0; k < inner; ++k) sum += left(i / columns, k) * right(k, i % columns);
    c[i] = sum;
  }
};

/// The same numbers on one thread: row by row of b, where the elements in order would jump through it.
inline void multiply_on_host(const Gemm& g) {
  for (std::size_t i = 0; i < g.rows * g.columns; ++i) {
    if (g.b_transposed) g(i);
    else g.c[i] = 0;
  }
  if (g.b_transposed) return;
  for (std::size_t row = 0; row < g.rows; ++row)
    for (std::size_t k = 0; k < g.inner; ++k) {
      const float factor = g.left(row, k);
      for (std::size_t column = 0; column < g.columns; ++column) g.c[row * g.columns + column] += factor * g.b[k * g.columns + column];
    }
}

/// to[i]: the blocks of `first` x `second`, `inner` numbers each, in the other order: `second` x `first`.
struct SwapAxes {
  const float* from;
  float* to;
  std::size_t first, second, inner;
  P2P_BOTH void operator()(std::size_t i) const {
    const std::size_t block = i / inner;
    to[i] = from[(block % first * second + block / first) * inner + i % inner];
  }
};

/// to[i]: `count` columns of a matrix whose rows have `width` numbers, from `first` on.
struct Columns {
  const float* from;
  float* to;
  std::size_t width, first, count;
  P2P_BOTH void operator()(std::size_t i) const { to[i] = from[i / count * width + first + i % count]; }
};

/// to[i]: the rows that `row` names, in that order; -1 everywhere in a row that has no name (-1).
struct Rows {
  const float* from;
  const int* row;
  float* to;
  std::size_t width;
  P2P_BOTH void operator()(std::size_t i) const {
    const int name = row[i / width];
    to[i] = name < 0 ? -1.0F : from[static_cast<std::size_t>(name) * width + i % width];
  }
};

/// y = x Phi(x), of the normal distribution.
struct Gelu {
  const float* x;
  float* y;
  P2P_BOTH void operator()(std::size_t i) const { y[i] = 0.5F * x[i] * (1 + erff(x[i] * 0.70710678F)); }
};

/// dL/dx of y = gelu(x); it may take the place of dL/dy.
struct GeluGradient {
  const float* x;
  const float* y_gradient;
  float* x_gradient;
  P2P_BOTH void operator()(std::size_t i) const {
    const float v = x[i], density = 0.39894228F * expf(-0.5F * v * v);
    x_gradient[i] = y_gradient[i] * (0.5F * (1 + erff(v * 0.70710678F)) + v * density);
  }
};

// Experts. An item is a row: whom it is for, whose token it is, the expert, the source's choice, and the token's numbers.

constexpr std::size_t kLabel = 4;  ///< numbers in front of a token's

/// tanh(W x), where each row of an expert's W has two numbers of its own.
P2P_BOTH inline float expert_output(int expert, const float* x, std::size_t hidden, std::size_t i) {
  const float own = 0.5F + 0.1F * static_cast<float>(expert % 7);
  return tanhf(own * x[i] + 0.25F * x[(i + static_cast<std::size_t>(expert) + 1) % hidden]);
}

/// The items that an expert has made of others, on their way back; `idle` experts change no number. i counts the numbers of all.
struct Experts {
  const float* from;
  float* to;
  std::size_t hidden;
  bool idle;
  P2P_BOTH void operator()(std::size_t i) const {
    const std::size_t width = kLabel + hidden, column = i % width;
    const float* item = from + (i - column);
    if (column < kLabel) to[i] = column == 0 ? item[1] : item[column];
    else to[i] = idle ? item[column] : expert_output(static_cast<int>(item[2]), item + kLabel, hidden, column - kLabel);
  }
};

/// A token's sum over its `choices`, by the router's weights. `item` says in which row a choice came back; -1: dropped.
/// i counts the numbers of all tokens.
struct Combine {
  const float* items;
  const int* item;
  const float* weight;
  float* out;
  std::size_t hidden, choices;
  P2P_BOTH void operator()(std::size_t i) const {
    float sum = 0;
    for (std::size_t choice = i / hidden * choices; choice < (i / hidden + 1) * choices; ++choice) {
      if (item[choice] >= 0) sum += weight[choice] * items[static_cast<std::size_t>(item[choice]) * (kLabel + hidden) + kLabel + i % hidden];
    }
    out[i] = sum;
  }
};

// A layer of the pipeline, y = tanh(W x + b), samples one after the other, `width` features each.

/// i counts the outputs of all samples.
struct Forward {
  const float* weight;
  const float* bias;
  const float* x;
  float* y;
  std::size_t width;
  P2P_BOTH void operator()(std::size_t i) const {
    const std::size_t row = i % width, sample = i - row;
    float sum = bias[row];
    for (std::size_t column = 0; column < width; ++column) sum += weight[row * width + column] * x[sample + column];
    y[i] = tanhf(sum);
  }
};

/// dL/dy of L = sum |y - target|^2 / (2 samples); i counts the outputs.
struct LossGradient {
  const float* y;
  const float* target;
  float* y_gradient;
  float samples;
  P2P_BOTH void operator()(std::size_t i) const { y_gradient[i] = (y[i] - target[i]) / samples; }
};

/// dL/d(W x + b), tanh' = 1 - tanh^2.
P2P_BOTH inline float inner_gradient(float y, float y_gradient) { return y_gradient * (1 - y * y); }

/// i counts the inputs of all samples.
struct InputGradient {
  const float* weight;
  const float* y;
  const float* y_gradient;
  float* x_gradient;
  std::size_t width;
  P2P_BOTH void operator()(std::size_t i) const {
    const std::size_t column = i % width, sample = i - column;
    float sum = 0;
    for (std::size_t row = 0; row < width; ++row) {
      sum += inner_gradient(y[sample + row], y_gradient[sample + row]) * weight[row * width + column];
    }
    x_gradient[i] = sum;
  }
};

/// Adds to dL/dW, or begins it; i counts the weights.
struct WeightGradient {
  const float* x;
  const float* y;
  const float* y_gradient;
  float* weight_gradient;
  std::size_t width, values;
  bool begins;
  P2P_BOTH void operator()(std::size_t i) const {
    const std::size_t row = i / width, column = i % width;
    float sum = begins ? 0 : weight_gradient[i];
    for (std::size_t sample = 0; sample < values; sample += width) {
      sum += inner_gradient(y[sample + row], y_gradient[sample + row]) * x[sample + column];
    }
    weight_gradient[i] = sum;
  }
};

/// Adds to dL/db, or begins it; i counts the biases.
struct BiasGradient {
  const float* y;
  const float* y_gradient;
  float* bias_gradient;
  std::size_t width, values;
  bool begins;
  P2P_BOTH void operator()(std::size_t i) const {
    float sum = begins ? 0 : bias_gradient[i];
    for (std::size_t sample = 0; sample < values; sample += width) {
      sum += inner_gradient(y[sample + i], y_gradient[sample + i]);
    }
    bias_gradient[i] = sum;
  }
};

/// A step of gradient descent.
struct Step {
  float* value;
  const float* gradient;
  float rate;
  P2P_BOTH void operator()(std::size_t i) const { value[i] -= rate * gradient[i]; }
};

// Time. The GPU's clock is %globaltimer; on the CPU it is CLOCK_MONOTONIC.

P2P_BOTH inline long long timer_ns() {
#if defined(__CUDA_ARCH__)
  long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
#elif !defined(__CUDACC__)
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<long long>(now.tv_sec) * 1000000000 + now.tv_nsec;
#else
  return 0;  // the host half of nvcc's output never runs a body
#endif
}

P2P_BOTH inline void give_way() {
#if defined(__CUDA_ARCH__)
  __nanosleep(1000);
#elif !defined(__CUDACC__)
  const timespec nap{0, 20'000};
  nanosleep(&nap, nullptr);
#endif
}

/// The smallest step in which the timer moves, over so many of them; one index.
struct TimerStep {
  long long* step;
  int steps;
  P2P_BOTH void operator()(std::size_t) const {
    long long smallest = 1LL << 62, before = timer_ns();
    for (int seen = 0; seen < steps;) {
      const long long now = timer_ns();
      if (now == before) continue;
      if (now - before < smallest) smallest = now - before;
      before = now;
      ++seen;
    }
    *step = smallest;
  }
};

/// Notes when the stream came here; one index.
struct Mark {
  long long* start;
  P2P_BOTH void operator()(std::size_t) const { *start = timer_ns(); }
};
/// Holds the stream until `duration_ns` after Mark; one index.
struct Hold {
  const long long* start;
  long long duration_ns;
  P2P_BOTH void operator()(std::size_t) const {
    while (timer_ns() - *start < duration_ns) give_way();
  }
};
/// Holds the stream until the host has set `flag` to `value` or beyond; one index. `flag` lies in pinned memory.
struct WaitFlag {
  const unsigned* flag;
  unsigned value;
  P2P_BOTH void operator()(std::size_t) const {
#if defined(__CUDA_ARCH__)
    while (static_cast<int>(*static_cast<const volatile unsigned*>(flag) - value) < 0) give_way();
    __threadfence_system();
#else
    while (static_cast<int>(__atomic_load_n(flag, __ATOMIC_ACQUIRE) - value) < 0) give_way();
#endif
  }
};

using Body = std::variant<Fill, Checksum, Set, Copy, Gemm, Forward, LossGradient, InputGradient, WeightGradient,
                          BiasGradient, Step, TimerStep, Mark, Hold, WaitFlag, Add, SwapAxes, Columns, Rows, Gelu, GeluGradient, Experts, Combine>;

}  // namespace p2p::kernels

namespace p2p {

/// A body and the number of its indices.
struct Kernel {
  kernels::Body body;
  std::size_t count = 1;
};

/// Index after index on the calling thread.
inline void run_on_host(const Kernel& kernel) {
  if (const auto* product = std::get_if<kernels::Gemm>(&kernel.body)) return multiply_on_host(*product);
  std::visit([&](const auto& body) {
    for (std::size_t i = 0; i < kernel.count; ++i) body(i);
  }, kernel.body);
}

}  // namespace p2p
