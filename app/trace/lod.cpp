// The pyramid of a row; see lod.h.
#include "app/trace/lod.h"

namespace p2plab::trace {

namespace {

// Index of the first in [from, to) for which `is_past` holds; it must hold for all after it.
template <class IsPast>
std::size_t first_past(std::size_t from, std::size_t to, IsPast&& is_past) {
  while (from < to) {
    const std::size_t middle = from + (to - from) / 2;
    if (is_past(middle))
      to = middle;
    else
      from = middle + 1;
  }
  return from;
}

}  // namespace

std::size_t Row::first_ending_after(Ns t) const {
  return first_past(0, size(), [&](std::size_t i) { return leaves_[i].end > t; });
}

// Looks near `from` first: while drawing, the next stretch begins a few spans on.
std::size_t Row::first_beginning_at(Ns t, std::size_t from) const {
  std::size_t step = 1, low = from;
  while (low < size() && leaves_[low].begin < t) {
    const std::size_t next = std::min(low + step, size());
    if (next == size() || leaves_[next].begin >= t) {
      return first_past(low + 1, next, [&](std::size_t i) { return leaves_[i].begin >= t; });
    }
    low = next;
    step *= 2;
  }
  return low;
}

Row::Node Row::merge(const Node& a, const Node& b) {
  const Node& longer = b.longest_ns > a.longest_ns ? b : a;
  return {longer.longest_ns, a.busy_ns + b.busy_ns, longer.longest};
}

Stretch Row::stretch(std::size_t from, std::size_t to) const {
  if (from >= to) return {};
  Node sum{-1, 0, UINT32_MAX};
  for (std::size_t i = from; i < to;) {
    if (i % kFan != 0 || i + kFan > to) {
      sum = merge(sum, node(leaves_[i++]));
      continue;
    }
    std::size_t level = 0, width = kFan;
    while (i % (width * kFan) == 0 && i + width * kFan <= to) {
      width *= kFan;
      ++level;
    }
    sum = merge(sum, levels_[level][i / width]);
    i += width;
  }
  return {leaves_[from].begin, leaves_[to - 1].end, sum.longest, sum.longest_ns, sum.busy_ns, to - from};
}

Stretch Row::between(Ns begin, Ns end) const {
  const std::size_t from = first_ending_after(begin);
  const std::size_t to = std::max(from, first_beginning_at(end, from));
  Stretch found = stretch(from, to);
  if (found.count == 0) return found;
  found.busy_ns -= std::max<Ns>(0, begin - found.begin) + std::max<Ns>(0, found.end - end);
  return found;
}

void Row::end(std::uint32_t span, Ns begin, Ns end) {
  leaves_.push_back({begin, end, span});
  open_ = UINT32_MAX;
  last_end_ = end;
  const std::size_t n = leaves_.size();
  if (n % kFan != 0) return;
  Node sum{-1, 0, UINT32_MAX};
  for (std::size_t i = n - kFan; i < n; ++i) sum = merge(sum, node(leaves_[i]));
  levels_[0].push_back(sum);
  for (std::size_t level = 0; levels_[level].size() % kFan == 0 && level + 1 < levels_.size(); ++level) {
    const auto& below = levels_[level];
    sum = {-1, 0, UINT32_MAX};
    for (std::size_t i = below.size() - kFan; i < below.size(); ++i) sum = merge(sum, below[i]);
    levels_[level + 1].push_back(sum);
  }
}

}  // namespace p2plab::trace
