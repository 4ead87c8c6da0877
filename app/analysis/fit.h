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
  std::optional<double> step_ns;  ///< what every message above a size takes longer (eager to rendezvous), if one was given
};

/// The middle value; the mean of the two middle ones when their number is even. Throws std::invalid_argument for none.
double median(std::vector<double> values);

/// Weighted least squares on the median of each size, weight 1/median^2: every size counts by its relative error, so
/// that the large ones do not drown the latency. Nothing with fewer than two sizes or if times do not grow with size.
/// With `step_above` a step above that size is fitted too, if at least two sizes lie on either side of it.
std::optional<LatencyBandwidth> fit_latency_bandwidth(std::span<const SizeTimes> sizes, std::optional<double> step_above = std::nullopt);

}  // namespace p2plab::analysis
