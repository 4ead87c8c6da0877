// One microbatch at a time: F and B of a microbatch before the next one enters.
#include "app/schedule/generator.h"

namespace p2plab::schedule::made {
namespace {

Action at(const Shape&, int, std::int64_t k) { return k % 2 == 0 ? forward(k / 2) : backward(k / 2); }

/// All other stages stand still: every microbatch costs a whole ramp.
double ideal(const Shape& shape, double f, double b, double w) { return double(shape.stages - 1) * shape.microbatches * (f + b + w); }

}  // namespace

Generator naive() { return {.id = "naive", .lesson = 10, .count = two_each, .fill = fill_with<at>, .ideal = ideal}; }

}  // namespace p2plab::schedule::made
