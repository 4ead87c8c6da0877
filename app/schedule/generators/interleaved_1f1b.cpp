// Interleaved 1F1B in Megatron's order (2104.04473 2.2.2): v chunks a stage, microbatches in groups of p go through chunk
// after chunk. The bubble shrinks to (p-1)S/v; messages grow (pv-1)/(p-1) times, and memory to p(1 + (p-1)/(pv)) on the first stage.
#include "app/schedule/generator.h"
#include "app/schedule/generators/warm_up.h"

namespace p2plab::schedule::made {
namespace {

Action at(const Shape& shape, int stage, std::int64_t k) {
  const std::int64_t p = shape.stages, v = shape.chunks, n = v * shape.microbatches;
  const std::int64_t ahead = p - 1 - stage;
  // With one chunk there is nothing to interleave, and the order is plain 1F1B.
  const Step step = one_f_one_b_step(v == 1 ? ahead : 2 * ahead + (v - 1) * p, n, k);
  const std::int64_t group = step.index / (p * v), within = step.index % (p * v);
  const std::int64_t microbatch = v == 1 ? step.index : group * p + within % p;
  const int chunk = static_cast<int>(v == 1 ? 0 : within / p);
  return step.forward ? forward(microbatch, chunk) : backward(microbatch, static_cast<int>(v) - 1 - chunk);
}
double ideal(const Shape& shape, double f, double b, double w) { return ramp(shape.stages, f, b, w) / shape.chunks; }

}  // namespace

Generator interleaved_1f1b() {
  return {.id = "interleaved-1f1b", .lesson = 50, .chunks = 2, .max_chunks = kMaxChunks, .needs_multiple = true,
          .count = two_each, .fill = fill_with<at>, .ideal = ideal};
}

}  // namespace p2plab::schedule::made
