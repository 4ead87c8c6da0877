// 1F1B over all-reduce: all stages meet after every slot, so where some run F and others B, every slot is as long as B.
#include <algorithm>

#include "app/schedule/generator.h"
#include "app/schedule/generators/slots.h"
#include "app/schedule/generators/warm_up.h"

namespace p2plab::schedule::made {
namespace {

std::int64_t slots(const Shape& shape) { return 2LL * (shape.microbatches + shape.stages - 1); }
std::int64_t count(const Shape& shape, int) { return slots(shape) + 2LL * shape.microbatches; }

Action at(const Shape& shape, int stage, std::int64_t k) {
  const std::int64_t p = shape.stages, m = shape.microbatches, warm_up = p - 1 - stage;
  // With slots of equal length: F of the warm-up and one more follow each other; from then on F and B alternate.
  const auto before = [=](std::int64_t t) {
    const auto every_second = [t](std::int64_t first, std::int64_t most) {
      return most <= 0 || t <= first ? std::int64_t{0} : std::min(most, (t - first + 1) / 2);
    };
    return std::clamp<std::int64_t>(t - stage, 0, std::min(m, warm_up + 1)) + every_second(2 * p - stage, m - warm_up - 1) +
           every_second(2 * p - 1 - stage, m);
  };
  return in_slots(slots(shape), k, before, [=](std::int64_t n) {
    const Step step = one_f_one_b_step(warm_up, m, n);
    return step.forward ? forward(step.index) : backward(step.index);
  });
}

}  // namespace

Generator allreduce_1f1b() {
  return {.id = "allreduce-1f1b", .lesson = 110, .meets = true, .count = count, .fill = fill_with<at>};
}

}  // namespace p2plab::schedule::made
