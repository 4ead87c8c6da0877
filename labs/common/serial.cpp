// The lab's reference: the same training in one process, without microbatches and without messages.
#include <string>

#include "demos/p2p/world.h"
#include "demos/pipeline/mlp.h"

namespace {

double digest(const std::vector<float>& values) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += static_cast<double>(values[i]) * static_cast<double>(i % 13 + 1);
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  return p2p::run(argc, argv, [](p2p::World& world) {
    const int stages = static_cast<int>(world.knob("stages", std::int64_t{4}));
    const auto samples = static_cast<std::size_t>(4 * world.knob("microbatches", std::int64_t{8}));
    const auto layers = train_serially(stages, Data(samples, world.seed()), 1, 0.1F, world.seed());
    for (int stage = 0; stage < stages; ++stage) {
      const std::string name = "gradient/" + std::to_string(stage);
      world.metric(name + "/weight", digest(layers[static_cast<std::size_t>(stage)].weight_gradient));
      world.metric(name + "/bias", digest(layers[static_cast<std::size_t>(stage)].bias_gradient));
    }
  });
}
