// ZB-H2 (2401.10241 2.2): more warm-up closes the ramp up, W held back closes the ramp down. 2p - 1 activations; with
// F = B = W no stage idles between its first and its last action.
#include "app/schedule/generator.h"
#include "app/schedule/generators/zero_bubble.h"

namespace p2plab::schedule::made {
namespace {

Action at(const Shape& shape, int stage, std::int64_t k) {
  return zero_bubble_step(shape.microbatches, 2 * (shape.stages - 1 - stage), 2 * stage, k);
}
/// The paper's (p-1)(F+B-2W) is the idle time within a window; the last stage begins (p-1)F after the first all the same,
/// and two F a stage are all that hides the way of the first B up.
double ideal(const Shape& shape, double f, double b, double w) { return (shape.stages - 1) * std::max({f, b - f, f + b - 2 * w}); }
int ideal_from(int stages) { return 2 * stages - 1; }

}  // namespace

Generator zb_h2() { return {.id = "zb-h2", .lesson = 70, .splits = true, .count = three_each, .fill = fill_with<at>, .ideal = ideal, .ideal_from = ideal_from}; }

}  // namespace p2plab::schedule::made
