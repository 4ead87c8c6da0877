// ZB-H1 (2401.10241 2.1): the memory of 1F1B, p activations, and a bubble of (p-1)(F+B-W) where W is no longer than F and B.
#include "app/schedule/generator.h"
#include "app/schedule/generators/zero_bubble.h"

namespace p2plab::schedule::made {
namespace {

Action at(const Shape& shape, int stage, std::int64_t k) {
  return zero_bubble_step(shape.microbatches, shape.stages - 1 - stage, stage, k);
}
/// Each stage costs one F on the way down and one B on the way up, and W can hide no more than the shorter of both.
double ideal(const Shape& shape, double f, double b, double w) { return (shape.stages - 1) * std::max({f, b, f + b - w}); }
int ideal_from(int stages) { return stages; }

}  // namespace

Generator zb_h1() { return {.id = "zb-h1", .lesson = 60, .splits = true, .count = three_each, .fill = fill_with<at>, .ideal = ideal, .ideal_from = ideal_from}; }

}  // namespace p2plab::schedule::made
