// 1F1B with a flush (PipeDream-Flush, 2104.04473 2.2.1): as few activations as the distance to the last stage allows, at
// most p - stage. The bubble is GPipe's.
#include "app/schedule/generator.h"
#include "app/schedule/generators/warm_up.h"

namespace p2plab::schedule::made {
namespace {

Action at(const Shape& shape, int stage, std::int64_t k) {
  const Step step = one_f_one_b_step(shape.stages - 1 - stage, shape.microbatches, k);
  return step.forward ? forward(step.index) : backward(step.index);
}
double ideal(const Shape& shape, double f, double b, double w) { return ramp(shape.stages, f, b, w); }

}  // namespace

Generator one_f_one_b() { return {.id = "1f1b", .lesson = 30, .count = two_each, .fill = fill_with<at>, .ideal = ideal}; }

}  // namespace p2plab::schedule::made
