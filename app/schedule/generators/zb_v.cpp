// ZB-V (2401.10241 section 6): two chunks in a V, so that the first stage also holds the last part and can turn back at
// once. The memory of 1F1B, p activations (2p of half the size); with F = B = W no stage idles within its window, at twice
// the messages.
#include <algorithm>
#include <array>

#include "app/schedule/generator.h"

namespace p2plab::schedule::made {
namespace {

constexpr int kDown = 0, kUp = 1;  ///< the chunk of the way down the V, and of the way back

/// Actions that follow each other `repeat` times; each counts its microbatches up from where it starts.
struct Item {
  Op op;
  int chunk;
  std::int64_t from;
};
struct Segment {
  std::int64_t repeat = 0;
  std::array<Item, 6> items{};
  int size = 0;

  Segment(std::int64_t n, std::initializer_list<Item> list) : repeat(n) {
    for (const Item& item : list) items[static_cast<std::size_t>(size++)] = item;
  }
  /// Actions of the first n repetitions whose microbatch exists.
  std::int64_t actions(std::int64_t n, std::int64_t m) const {
    std::int64_t sum = 0;
    for (int i = 0; i < size; ++i) sum += std::max<std::int64_t>(0, std::min(n, m - items[static_cast<std::size_t>(i)].from));
    return sum;
  }
};

using Segments = std::array<Segment, 8>;

Segments segments_of(const Shape& shape, int stage) {
  const std::int64_t p = shape.stages, s = stage;
  const std::int64_t all = std::max<std::int64_t>(shape.microbatches, 2 * p - 1);  // planned for a full pipeline; what does not exist is left out
  const std::int64_t fill = 2 * (p - s) - 1;                                       // forwards until the first one comes back up
  return {{
      {fill, {{Op::forward, kDown, 0}}},
      {s, {{Op::forward, kUp, 0}, {Op::forward, kDown, fill}}},
      {p - s, {{Op::forward, kUp, s}, {Op::input, kUp, 0}, {Op::weight, kUp, 0}}},
      {all - p, {{Op::forward, kDown, fill + s}, {Op::input, kDown, 0}, {Op::weight, kDown, 0},
                 {Op::forward, kUp, p}, {Op::input, kUp, p - s}, {Op::weight, kUp, p - s}}},
      {s, {{Op::input, kDown, all - p}, {Op::input, kUp, all - s}}},
      {p - s, {{Op::input, kDown, all - p + s}, {Op::weight, kDown, all - p}}},
      {s, {{Op::weight, kUp, all - s}}},
      {s, {{Op::weight, kDown, all - s}}},
  }};
}

/// Finds where action `from` stands, then goes on from there.
void fill(const Shape& shape, int stage, std::int64_t from, std::span<Action> out) {
  const std::int64_t m = shape.microbatches;
  const Segments segments = segments_of(shape, stage);
  std::size_t at = 0;
  std::int64_t skip = from;
  for (; at < segments.size() && skip >= segments[at].actions(segments[at].repeat, m); ++at) skip -= segments[at].actions(segments[at].repeat, m);
  std::size_t filled = 0;
  for (bool first = true; at < segments.size() && filled < out.size(); ++at, first = false) {
    const Segment& segment = segments[at];
    std::int64_t repetition = 0;
    if (first) {
      std::int64_t high = segment.repeat;  // the last repetition that begins at the action or before it
      while (repetition + 1 < high) {
        const std::int64_t middle = (repetition + high) / 2;
        (segment.actions(middle, m) <= skip ? repetition : high) = middle;
      }
      skip -= segment.actions(repetition, m);
    }
    for (; repetition < segment.repeat && filled < out.size(); ++repetition)
      for (int i = 0; i < segment.size && filled < out.size(); ++i) {
        const Item& item = segment.items[static_cast<std::size_t>(i)];
        if (item.from + repetition >= m || skip-- > 0) continue;
        out[filled++] = {static_cast<std::int32_t>(item.from + repetition), static_cast<std::int16_t>(item.chunk), item.op};
      }
  }
}

}  // namespace

Generator zb_v() {
  return {.id = "zb-v", .lesson = 80, .chunks = 2, .min_chunks = 2, .max_chunks = 2, .placement = Placement::vee, .splits = true,
          .count = three_each, .fill = fill};
}

}  // namespace p2plab::schedule::made
