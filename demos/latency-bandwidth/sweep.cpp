#include "demos/latency-bandwidth/sweep.h"

#include <algorithm>

std::vector<std::uint64_t> sweep_sizes(std::uint64_t smallest, std::uint64_t largest, const std::vector<std::uint64_t>& extra) {
  std::vector<std::uint64_t> out{smallest, largest};
  for (std::uint64_t bytes = std::max<std::uint64_t>(smallest, 1); bytes < largest; bytes *= 2) out.push_back(bytes);
  for (const std::uint64_t bytes : extra)
    if (bytes >= smallest && bytes <= largest) out.push_back(bytes);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

int repetitions(std::uint64_t bytes, int most) {
  constexpr std::uint64_t kBytes = 64 << 20;
  constexpr int kLeast = 5;
  if (bytes == 0) return most;
  const std::uint64_t fitting = kBytes / bytes;
  return static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(most), std::max<std::uint64_t>(fitting, kLeast)));
}

Spread spread(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) { return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)]; };
  const std::size_t half = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {values.front(), at(0.1), median, at(0.9)};
}
