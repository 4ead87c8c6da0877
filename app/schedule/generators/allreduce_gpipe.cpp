// GPipe over all-reduce: all stages meet after every slot. All slots of a phase are equally long, so nothing is lost but the
// price of the collective.
#include <algorithm>

#include "app/schedule/generator.h"
#include "app/schedule/generators/slots.h"
#include "app/schedule/generators/warm_up.h"

namespace p2plab::schedule::made {
namespace {

std::int64_t slots(const Shape& shape) { return 2LL * (shape.microbatches + shape.stages - 1); }
std::int64_t count(const Shape& shape, int) { return slots(shape) + 2LL * shape.microbatches; }

Action at(const Shape& shape, int stage, std::int64_t k) {
  const std::int64_t p = shape.stages, m = shape.microbatches;
  const std::int64_t first_f = stage, first_b = (m + p - 1) + (p - 1 - stage);
  return in_slots(slots(shape), k,
                  [=](std::int64_t t) { return std::clamp<std::int64_t>(t - first_f, 0, m) + std::clamp<std::int64_t>(t - first_b, 0, m); },
                  [=](std::int64_t n) { return n < m ? forward(n) : backward(n - m); });
}
double ideal(const Shape& shape, double f, double b, double w) { return ramp(shape.stages, f, b, w); }

}  // namespace

Generator allreduce_gpipe() {
  return {.id = "allreduce-gpipe", .lesson = 100, .meets = true, .count = count, .fill = fill_with<at>, .ideal = ideal};
}

}  // namespace p2plab::schedule::made
