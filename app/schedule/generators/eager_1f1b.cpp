// Eager 1F1B (2211.05322): twice the warm-up, so that a message may travel while the stage still has work. It pays with
// memory, 2(p - stage) - 1 activations.
#include "app/schedule/generator.h"
#include "app/schedule/generators/warm_up.h"

namespace p2plab::schedule::made {
namespace {

Action at(const Shape& shape, int stage, std::int64_t k) {
  const Step step = one_f_one_b_step(2 * (shape.stages - 1 - stage), shape.microbatches, k);
  return step.forward ? forward(step.index) : backward(step.index);
}
double ideal(const Shape& shape, double f, double b, double w) { return ramp(shape.stages, f, b, w); }

}  // namespace

Generator eager_1f1b() { return {.id = "eager-1f1b", .lesson = 40, .count = two_each, .fill = fill_with<at>, .ideal = ideal}; }

}  // namespace p2plab::schedule::made
