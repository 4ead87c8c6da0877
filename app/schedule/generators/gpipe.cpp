// GPipe 2.2, Fig. 2c: all forwards, then all backwards. Every stage keeps all m activations.
#include "app/schedule/generator.h"
#include "app/schedule/generators/warm_up.h"

namespace p2plab::schedule::made {
namespace {

Action at(const Shape& shape, int, std::int64_t k) {
  return k < shape.microbatches ? forward(k) : backward(k - shape.microbatches);
}
double ideal(const Shape& shape, double f, double b, double w) { return ramp(shape.stages, f, b, w); }

}  // namespace

Generator gpipe() { return {.id = "gpipe", .lesson = 20, .count = two_each, .fill = fill_with<at>, .ideal = ideal}; }

}  // namespace p2plab::schedule::made
