// The sizes of a sweep, how often each is measured, and what is said of the times.
#pragma once
#include <cstdint>
#include <vector>

/// `smallest`, then doubling from 1 or from it up to `largest`, which is always the last; `extra` sizes in their places.
std::vector<std::uint64_t> sweep_sizes(std::uint64_t smallest, std::uint64_t largest, const std::vector<std::uint64_t>& extra);

/// At most `most`; fewer for large messages, so that no size takes more than 64 MiB, but at least 5.
int repetitions(std::uint64_t bytes, int most);

struct Spread {
  double lowest = 0, p10 = 0, median = 0, p90 = 0;
};
/// Of at least one value.
Spread spread(std::vector<double> values);
