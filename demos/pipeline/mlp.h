// A small multi-layer perceptron, one layer per part of the model: y = tanh(W x + b), loss = squared error per sample.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

constexpr std::size_t kWidth = 8;  ///< features in and out of every layer

/// Samples one after the other, kWidth numbers each.
using Batch = std::span<float>;
using ConstBatch = std::span<const float>;

struct Layer {
  std::vector<float> weight = std::vector<float>(kWidth * kWidth), bias = std::vector<float>(kWidth);
  std::vector<float> weight_gradient = std::vector<float>(kWidth * kWidth), bias_gradient = std::vector<float>(kWidth);

  /// The layer of this part of the model; the same in every process that asks with this seed.
  static Layer of_part(int part, std::uint64_t seed);
  void forward(ConstBatch x, Batch y) const;
  /// B: from dL/dy to dL/dx.
  void backward_input(ConstBatch y, ConstBatch y_gradient, Batch x_gradient) const;
  /// W: adds dL/dW and dL/db to the gradients.
  void backward_weight(ConstBatch x, ConstBatch y, ConstBatch y_gradient);
  /// One step of gradient descent; the gradients stay until clear().
  void step(float rate);
  void clear();
};

/// Inputs and targets of the whole batch; the same in every process that asks with this seed.
struct Data {
  std::vector<float> input, target;
  Data(std::size_t samples, std::uint64_t seed);
};

/// dL/dy of L = sum |y - target|^2 / (2 samples), where `samples` are those of the whole batch, not of this part.
void loss_gradient(ConstBatch y, ConstBatch target, std::size_t samples, Batch y_gradient);

/// The same training in one process without microbatches: the layers after `iterations` steps, the last gradients kept.
std::vector<Layer> train_serially(int parts, const Data& data, int iterations, float rate, std::uint64_t seed);
