// Given by the lab; not to be changed. A small multi-layer perceptron, one layer per stage: y = tanh(W x + b), and a loss of
// squared errors. Every process that asks with the same seed gets the same layers and the same data.
#pragma once
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

constexpr std::size_t kWidth = 8;    ///< features in and out of every layer
constexpr std::size_t kSamples = 4;  ///< of a microbatch
constexpr std::size_t kValues = kSamples * kWidth;

/// Samples one after the other, kWidth numbers each.
using Batch = std::span<float>;
using ConstBatch = std::span<const float>;

inline std::vector<float> random_numbers(std::size_t count, float scale, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<float> uniform(-scale, scale);
  std::vector<float> out(count);
  for (float& value : out) value = uniform(random);
  return out;
}

struct Layer {
  std::vector<float> weight, bias, weight_gradient, bias_gradient;

  Layer(int stage, std::uint64_t seed)
      : weight(random_numbers(kWidth * kWidth, 0.35F, seed * 1000 + static_cast<std::uint64_t>(stage))),
        bias(random_numbers(kWidth, 0.1F, seed * 1000 + 500 + static_cast<std::uint64_t>(stage))) {
    clear();
  }
  void clear() {
    weight_gradient.assign(weight.size(), 0);
    bias_gradient.assign(bias.size(), 0);
  }
  void forward(ConstBatch x, Batch y) const {
    for (std::size_t sample = 0; sample < x.size(); sample += kWidth)
      for (std::size_t row = 0; row < kWidth; ++row) {
        float sum = bias[row];
        for (std::size_t column = 0; column < kWidth; ++column) sum += weight[row * kWidth + column] * x[sample + column];
        y[sample + row] = std::tanh(sum);
      }
  }
  /// B: from dL/dy to dL/dx.
  void input_gradient(ConstBatch y, ConstBatch dy, Batch dx) const {
    for (std::size_t sample = 0; sample < y.size(); sample += kWidth)
      for (std::size_t column = 0; column < kWidth; ++column) {
        float sum = 0;
        for (std::size_t row = 0; row < kWidth; ++row) sum += inner(y[sample + row], dy[sample + row]) * weight[row * kWidth + column];
        dx[sample + column] = sum;
      }
  }
  /// W: adds dL/dW and dL/db.
  void add_weight_gradient(ConstBatch x, ConstBatch y, ConstBatch dy) {
    for (std::size_t sample = 0; sample < x.size(); sample += kWidth)
      for (std::size_t row = 0; row < kWidth; ++row) {
        const float outer = inner(y[sample + row], dy[sample + row]);
        bias_gradient[row] += outer;
        for (std::size_t column = 0; column < kWidth; ++column) weight_gradient[row * kWidth + column] += outer * x[sample + column];
      }
  }

 private:
  static float inner(float y, float dy) { return dy * (1 - y * y); }  // tanh' = 1 - tanh^2
};

/// Inputs and targets of the whole batch.
struct Data {
  std::vector<float> input, target;
  Data(std::size_t samples, std::uint64_t seed) : input(random_numbers(samples * kWidth, 1, seed * 1000 + 998)), target(random_numbers(samples * kWidth, 0.5F, seed * 1000 + 999)) {}
};

/// dL/dy of L = sum |y - target|^2 / (2 samples); `samples` are those of the whole batch.
inline void loss_gradient(ConstBatch y, ConstBatch target, std::size_t samples, Batch dy) {
  for (std::size_t i = 0; i < y.size(); ++i) dy[i] = (y[i] - target[i]) / static_cast<float>(samples);
}

/// One number for many, which an exchanged or a missing one changes.
inline double digest(const std::vector<float>& values) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += static_cast<double>(values[i]) * static_cast<double>(i % 13 + 1);
  return sum;
}
