// The lab's reference: the same step in one process, without microbatches and without messages.
#include <string>

#include "demos/p2p/world.h"
#include "mlp.h"

int main(int argc, char** argv) {
  return p2p::run(argc, argv, [](p2p::World& world) {
    const int stages = static_cast<int>(world.knob("stages", std::int64_t{4}));
    const auto samples = kSamples * static_cast<std::size_t>(world.knob("microbatches", std::int64_t{8}));
    const Data data(samples, world.seed());
    std::vector<Layer> layers;
    std::vector<std::vector<float>> at{data.input};
    for (int stage = 0; stage < stages; ++stage) {
      layers.emplace_back(stage, world.seed());
      at.emplace_back(data.input.size());
      layers.back().forward(at[at.size() - 2], at.back());
    }
    std::vector<float> gradient(data.input.size()), next(data.input.size());
    loss_gradient(at.back(), data.target, samples, gradient);
    for (int stage = stages; stage-- > 0;) {
      const auto i = static_cast<std::size_t>(stage);
      layers[i].add_weight_gradient(at[i], at[i + 1], gradient);
      layers[i].input_gradient(at[i + 1], gradient, next);
      gradient.swap(next);
      const std::string name = "gradient/" + std::to_string(stage);
      world.metric(name + "/weight", digest(layers[i].weight_gradient));
      world.metric(name + "/bias", digest(layers[i].bias_gradient));
    }
  });
}
