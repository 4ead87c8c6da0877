// Level of detail: answers "what lies between these two instants of a row" in logarithmic time, so that drawing costs
// by pixels and not by spans. Append-only, hence fit for a trace that is still growing.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "app/trace/chunked_vector.h"
#include "app/trace/clock.h"

namespace p2plab::trace {

/// What lies in a stretch of a row.
struct Stretch {
  Ns begin = 0;                        ///< of the first span
  Ns end = 0;                          ///< of the last
  std::uint32_t longest = UINT32_MAX;  ///< SpanId of the longest; UINT32_MAX if there is none
  Ns longest_ns = 0;                   ///< its whole duration
  Ns busy_ns = 0;                      ///< sum of durations
  std::size_t count = 0;
};

/// The spans of one track at one nesting depth: `trace.tracks()[t].rows[depth]`. They never overlap and lie in order of
/// time; the last may still be open and is kept apart. Over the ended ones stands a pyramid: each node sums up eight
/// below it, and only whole groups of eight have one, so nothing that was written ever changes.
class Row {
 public:
  struct Leaf {
    Ns begin, end;
    std::uint32_t span;  ///< SpanId
  };

  /// SpanId of the span that has not ended; UINT32_MAX if there is none.
  std::uint32_t open() const { return open_; }
  /// Ended spans, in order of time.
  std::size_t size() const { return leaves_.size(); }
  const Leaf& operator[](std::size_t i) const { return leaves_[i]; }
  /// Index of the first span that ends after `t`; size() if none does.
  std::size_t first_ending_after(Ns t) const;
  /// Index of the first span that begins at `t` or later, at or after index `from`; size() if none does.
  std::size_t first_beginning_at(Ns t, std::size_t from = 0) const;
  /// The spans with index in [from, to).
  Stretch stretch(std::size_t from, std::size_t to) const;
  /// The ended spans that overlap [begin, end); busy_ns is cut to it.
  Stretch between(Ns begin, Ns end) const;

  /// Visits what is to be drawn of [begin, end): each span of at least `resolution` ns alone (count 1), narrower
  /// neighbours together, one stretch for each `resolution`. The open span is not visited. Cost: number of visits times
  /// log n.
  template <class Visit>
  void visit(Ns begin, Ns end, Ns resolution, Visit&& visit) const {
    std::size_t i = first_ending_after(begin);
    while (i < size() && leaves_[i].begin < end) {
      const Leaf& first = leaves_[i];
      std::size_t next = i + 1;
      if (first.end - first.begin < resolution) {
        next = first_beginning_at(first.begin + std::max<Ns>(resolution, 1), next);
        // Only the last that begins within the resolution can reach beyond it.
        if (next > i + 1 && leaves_[next - 1].end - leaves_[next - 1].begin >= resolution) --next;
      }
      visit(stretch(i, next));
      i = next;
    }
  }

  /// For Trace: a span opens, which needs may_begin(begin).
  void begin(std::uint32_t span) { open_ = span; }
  /// For Trace: this span has ended.
  void end(std::uint32_t span, Ns begin, Ns end);
  /// True if a span that begins at `t` belongs behind all spans here.
  bool may_begin(Ns t) const { return open_ == UINT32_MAX && t >= last_end_; }

 private:
  static constexpr std::size_t kFan = 8;
  struct Node {
    Ns longest_ns, busy_ns;
    std::uint32_t longest;
  };
  static Node merge(const Node& a, const Node& b);
  static Node node(const Leaf& leaf) { return {leaf.end - leaf.begin, leaf.end - leaf.begin, leaf.span}; }

  ChunkedVector<Leaf, 64> leaves_;
  std::array<ChunkedVector<Node, 64>, 10> levels_;  ///< level k: one node for 8^(k+1) spans; 8^10 is beyond SpanId
  std::uint32_t open_ = UINT32_MAX;
  Ns last_end_ = INT64_MIN;
};

}  // namespace p2plab::trace
