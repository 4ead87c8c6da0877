// The latency-bandwidth model t(n) = alpha + n/beta, fitted to measured times.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace p2plab::analysis {

/// All times measured for messages of one size.
struct SizeTimes {
  std::uint64_t bytes = 0;
  std::vector<double> times_ns;
};

struct LatencyBandwidth {
  double alpha_ns = 0;          ///< time of an empty message
  double beta_bytes_per_s = 0;  ///< bandwidth of an endless one
  double n_half_bytes = 0;      ///< alpha * beta: the size that reaches half of it
};

/// The middle value; the mean of the two middle ones when their number is even. Throws std::invalid_argument for none.
double median(std::vector<double> values);

/// Weighted least squares on the median of each size, weight 1/median^2: every size counts by its relative error, so
/// that the large ones do not drown the latency. Nothing with fewer than two sizes or if times do not grow with size.
std::optional<LatencyBandwidth> fit_latency_bandwidth(std::span<const SizeTimes> sizes);

}  // namespace p2plab::analysis
