// The registry of schedules, and what all of them share.
#include "app/schedule/schedule.h"

#include <array>
#include <stdexcept>

#include "app/schedule/order.h"

namespace p2plab::schedule {

std::string to_string(const Action& action) {
  return (action.op == Op::forward ? "F" : "B") + std::to_string(action.microbatch);
}

std::span<const Generator> generators() {
  static constexpr std::array<Generator, 3> all{{{"naive", naive_stage}, {"gpipe", gpipe_stage}, {"1f1b", one_f_one_b_stage}}};
  return all;
}

const Generator* find_generator(std::string_view id) {
  for (const Generator& generator : generators())
    if (generator.id == id) return &generator;
  return nullptr;
}

void require_legal(Shape shape, int stage) {
  if (shape.stages < 1 || shape.microbatches < 1) throw std::invalid_argument("a schedule needs a stage and a microbatch");
  if (stage < 0 || stage >= shape.stages) throw std::invalid_argument("no such stage: " + std::to_string(stage));
}

std::vector<StageOrder> all_stages(const Generator& generator, Shape shape) {
  std::vector<StageOrder> stages;
  for (int stage = 0; stage < shape.stages; ++stage) stages.push_back(generator.stage(shape, stage));
  return stages;
}

}  // namespace p2plab::schedule
