// The arithmetic of the layers.
#include "demos/pipeline/mlp.h"

#include <cmath>
#include <random>

namespace {

void fill(std::vector<float>& values, float scale, std::mt19937_64& random) {
  std::uniform_real_distribution<float> uniform(-scale, scale);
  for (float& value : values) value = uniform(random);
}

/// tanh' = 1 - tanh^2
float inner_gradient(float y, float y_gradient) { return y_gradient * (1 - y * y); }

}  // namespace

Layer Layer::of_part(int part, std::uint64_t seed) {
  std::mt19937_64 random(seed * 1000 + static_cast<std::uint64_t>(part));
  Layer layer;
  fill(layer.weight, 1 / std::sqrt(static_cast<float>(kWidth)), random);
  fill(layer.bias, 0.1F, random);
  return layer;
}

void Layer::forward(ConstBatch x, Batch y) const {
  for (std::size_t sample = 0; sample < x.size(); sample += kWidth) {
    for (std::size_t row = 0; row < kWidth; ++row) {
      float sum = bias[row];
      for (std::size_t column = 0; column < kWidth; ++column) sum += weight[row * kWidth + column] * x[sample + column];
      y[sample + row] = std::tanh(sum);
    }
  }
}

void Layer::backward_input(ConstBatch y, ConstBatch y_gradient, Batch x_gradient) const {
  for (std::size_t sample = 0; sample < y.size(); sample += kWidth) {
    for (std::size_t column = 0; column < kWidth; ++column) x_gradient[sample + column] = 0;
    for (std::size_t row = 0; row < kWidth; ++row) {
      const float inner = inner_gradient(y[sample + row], y_gradient[sample + row]);
      for (std::size_t column = 0; column < kWidth; ++column) x_gradient[sample + column] += inner * weight[row * kWidth + column];
    }
  }
}

void Layer::backward_weight(ConstBatch x, ConstBatch y, ConstBatch y_gradient) {
  for (std::size_t sample = 0; sample < x.size(); sample += kWidth) {
    for (std::size_t row = 0; row < kWidth; ++row) {
      const float inner = inner_gradient(y[sample + row], y_gradient[sample + row]);
      bias_gradient[row] += inner;
      for (std::size_t column = 0; column < kWidth; ++column) weight_gradient[row * kWidth + column] += inner * x[sample + column];
    }
  }
}

void Layer::step(float rate) {
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] -= rate * weight_gradient[i];
  for (std::size_t i = 0; i < bias.size(); ++i) bias[i] -= rate * bias_gradient[i];
}

void Layer::clear() {
  weight_gradient.assign(weight_gradient.size(), 0);
  bias_gradient.assign(bias_gradient.size(), 0);
}

Data::Data(std::size_t samples, std::uint64_t seed) : input(samples * kWidth), target(samples * kWidth) {
  std::mt19937_64 random(seed * 1000 + 999);
  fill(input, 1, random);
  fill(target, 0.5F, random);
}

void loss_gradient(ConstBatch y, ConstBatch target, std::size_t samples, Batch y_gradient) {
  for (std::size_t i = 0; i < y.size(); ++i) y_gradient[i] = (y[i] - target[i]) / static_cast<float>(samples);
}

std::vector<Layer> train_serially(int parts, const Data& data, int iterations, float rate, std::uint64_t seed) {
  std::vector<Layer> layers;
  for (int part = 0; part < parts; ++part) layers.push_back(Layer::of_part(part, seed));
  std::vector<std::vector<float>> activation(layers.size() + 1, std::vector<float>(data.input.size()));
  activation[0] = data.input;
  for (int i = 0; i < iterations; ++i) {
    for (std::size_t l = 0; l < layers.size(); ++l) layers[l].forward(activation[l], activation[l + 1]);
    std::vector<float> gradient(data.input.size()), next(data.input.size());
    loss_gradient(activation.back(), data.target, data.input.size() / kWidth, gradient);
    for (std::size_t l = layers.size(); l-- > 0;) {
      layers[l].clear();
      layers[l].backward_input(activation[l + 1], gradient, next);
      layers[l].backward_weight(activation[l], activation[l + 1], gradient);
      gradient.swap(next);
    }
    for (Layer& layer : layers) layer.step(rate);
  }
  return layers;
}
