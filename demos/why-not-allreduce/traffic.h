// What the busiest stage sends in one step, by what carries the messages: the arithmetic of the demo.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>

/// Bytes; messages of `bytes` each. Between neighbours a stage in the middle sends each microbatch down and its gradient up.
/// An all-reduce of p places as a ring: 2(p-1)/p of p messages, after each of the 2(m+p-1) slots.
inline double sent_bytes(std::string_view transport, int stages, int microbatches, std::size_t bytes) {
  const double each = static_cast<double>(bytes);
  if (transport == "allreduce") return 2.0 * (microbatches + stages - 1) * 2.0 * (stages - 1) * each;
  return microbatches * each * std::min(stages - 1, 2);
}
