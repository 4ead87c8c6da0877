// A weighted straight line through medians.
#include "app/analysis/fit.h"

#include <algorithm>
#include <stdexcept>

namespace p2plab::analysis {

double median(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("median of nothing");
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

std::optional<LatencyBandwidth> fit_latency_bandwidth(std::span<const SizeTimes> sizes) {
  double weights = 0, mean_n = 0, mean_t = 0;
  struct Point {
    double n, t, weight;
  };
  std::vector<Point> points;
  for (const SizeTimes& size : sizes) {
    if (size.times_ns.empty()) continue;
    const double t = median(size.times_ns);
    if (t <= 0) continue;
    points.push_back({static_cast<double>(size.bytes), t, 1 / (t * t)});
    weights += points.back().weight;
    mean_n += points.back().weight * points.back().n;
    mean_t += points.back().weight * t;
  }
  if (points.size() < 2) return std::nullopt;
  mean_n /= weights;
  mean_t /= weights;
  double above = 0, below = 0;
  for (const Point& point : points) {
    above += point.weight * (point.n - mean_n) * (point.t - mean_t);
    below += point.weight * (point.n - mean_n) * (point.n - mean_n);
  }
  if (below <= 0 || above <= 0) return std::nullopt;
  const double ns_per_byte = above / below;
  LatencyBandwidth fit;
  fit.alpha_ns = mean_t - ns_per_byte * mean_n;
  fit.beta_bytes_per_s = 1e9 / ns_per_byte;
  fit.n_half_bytes = fit.alpha_ns / ns_per_byte;
  return fit;
}

}  // namespace p2plab::analysis
