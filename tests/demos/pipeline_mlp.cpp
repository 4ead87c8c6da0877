// The demo's arithmetic: gradients against finite differences, and the split into microbatches against the whole.
#include "demos/pipeline/mlp.h"

#include <cmath>

#include "tests/support/catch.h"

namespace {

/// The loss of a chain of layers over the whole batch, in double.
double loss(const std::vector<Layer>& layers, const Data& data) {
  double sum = 0;
  for (std::size_t sample = 0; sample < data.input.size(); sample += kWidth) {
    std::vector<double> x(data.input.begin() + static_cast<std::ptrdiff_t>(sample),
                          data.input.begin() + static_cast<std::ptrdiff_t>(sample + kWidth));
    for (const Layer& layer : layers) {
      std::vector<double> y(kWidth);
      for (std::size_t row = 0; row < kWidth; ++row) {
        y[row] = static_cast<double>(layer.bias[row]);
        for (std::size_t c = 0; c < kWidth; ++c) y[row] += static_cast<double>(layer.weight[row * kWidth + c]) * x[c];
        y[row] = std::tanh(y[row]);
      }
      x = y;
    }
    for (std::size_t i = 0; i < kWidth; ++i) {
      const double d = x[i] - static_cast<double>(data.target[sample + i]);
      sum += d * d / 2;
    }
  }
  return sum * static_cast<double>(kWidth) / static_cast<double>(data.input.size());
}

}  // namespace

TEST_CASE("the gradients of the layers are those of finite differences") {
  const Data data(6, 3);
  const auto trained = train_serially(3, data, 1, 0, 3);  // a rate of 0 keeps the weights
  for (std::size_t l = 0; l < trained.size(); ++l) {
    for (const std::size_t i : {std::size_t{0}, std::size_t{9}, std::size_t{63}}) {
      auto up = trained, down = trained;
      up[l].weight[i] += 1e-2F;
      down[l].weight[i] -= 1e-2F;
      const double step = static_cast<double>(up[l].weight[i]) - static_cast<double>(down[l].weight[i]);
      CHECK((loss(up, data) - loss(down, data)) / step == Approx(trained[l].weight_gradient[i]).margin(2e-4));
    }
    auto up = trained, down = trained;
    up[l].bias[2] += 1e-2F;
    down[l].bias[2] -= 1e-2F;
    const double step = static_cast<double>(up[l].bias[2]) - static_cast<double>(down[l].bias[2]);
    CHECK((loss(up, data) - loss(down, data)) / step == Approx(trained[l].bias_gradient[2]).margin(2e-4));
  }
}

TEST_CASE("training lowers the loss, and another seed is another problem") {
  const Data data(16, 1);
  CHECK(loss(train_serially(4, data, 50, 0.1F, 1), data) < loss(train_serially(4, data, 1, 0, 1), data));
  CHECK(Layer::of_part(0, 1).weight == Layer::of_part(0, 1).weight);
  CHECK(Layer::of_part(0, 1).weight != Layer::of_part(0, 2).weight);
  CHECK(Layer::of_part(0, 1).weight != Layer::of_part(1, 1).weight);
}
