// ZB-H1 (2401.10241 2.1): the memory of 1F1B, p activations, and a bubble of (p-1)(F+B-W).
#include "app/schedule/generator.h"
#include "app/schedule/generators/zero_bubble.h"

namespace p2plab::schedule::made {
namespace {

Action at(const Shape& shape, int stage, std::int64_t k) {
  return zero_bubble_step(shape.microbatches, shape.stages - 1 - stage, stage, k);
}
double ideal(const Shape& shape, double f, double b, double w) { return (shape.stages - 1) * std::max(0.0, f + b - w); }

}  // namespace

Generator zb_h1() { return {.id = "zb-h1", .lesson = 60, .splits = true, .count = three_each, .fill = fill_with<at>, .ideal = ideal}; }

}  // namespace p2plab::schedule::made
