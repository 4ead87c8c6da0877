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

namespace {

struct FitPoint {
  double n, t, weight;
  bool above;  ///< the step
};

/// Weighted means of n and t over one side of the step.
struct Side {
  double weight = 0, n = 0, t = 0;
  int points = 0;
};

/// Each side of a step has an intercept of its own, so it is centred by itself; the slope is common.
std::optional<LatencyBandwidth> fit_sides(const std::vector<FitPoint>& points, bool stepped) {
  Side side[2];
  for (const FitPoint& point : points) {
    Side& at = side[stepped && point.above ? 1 : 0];
    at.weight += point.weight;
    at.n += point.weight * point.n;
    at.t += point.weight * point.t;
    ++at.points;
  }
  for (Side& at : side) {
    if (at.points == 0) continue;
    at.n /= at.weight;
    at.t /= at.weight;
  }
  double above = 0, below = 0;
  for (const FitPoint& point : points) {
    const Side& at = side[stepped && point.above ? 1 : 0];
    above += point.weight * (point.n - at.n) * (point.t - at.t);
    below += point.weight * (point.n - at.n) * (point.n - at.n);
  }
  if (below <= 0 || above <= 0) return std::nullopt;
  const double ns_per_byte = above / below;
  LatencyBandwidth fit;
  fit.alpha_ns = side[0].t - ns_per_byte * side[0].n;
  fit.beta_bytes_per_s = 1e9 / ns_per_byte;
  fit.n_half_bytes = fit.alpha_ns / ns_per_byte;
  if (stepped) fit.step_ns = side[1].t - ns_per_byte * side[1].n - fit.alpha_ns;
  return fit;
}

}  // namespace

std::optional<LatencyBandwidth> fit_latency_bandwidth(std::span<const SizeTimes> sizes, std::optional<double> step_above) {
  std::vector<FitPoint> points;
  std::ptrdiff_t above = 0;
  for (const SizeTimes& size : sizes) {
    if (size.times_ns.empty()) continue;
    const double t = median(size.times_ns);
    if (t <= 0) continue;
    const auto n = static_cast<double>(size.bytes);
    points.push_back({n, t, 1 / (t * t), step_above && n > *step_above});
    above += points.back().above ? 1 : 0;
  }
  if (points.size() < 2) return std::nullopt;
  return fit_sides(points, above >= 2 && std::ssize(points) - above >= 2);
}

}  // namespace p2plab::analysis
