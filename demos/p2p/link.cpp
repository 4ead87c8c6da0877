// t(n) = alpha + n/beta, serialised per directed pair.
#include "demos/p2p/link.h"

#include <algorithm>
#include <cmath>

namespace p2p {

std::int64_t Link::complete_at(bool is_send, int peer, std::size_t bytes, std::int64_t now_ns) {
  const auto busy_ns = static_cast<std::int64_t>(std::llround(static_cast<double>(bytes) / spec_.bytes_per_s * 1e9));
  const std::lock_guard lock(mutex_);
  std::int64_t& free_at = free_at_[{is_send, peer}];
  free_at = std::max(free_at, now_ns) + busy_ns;
  return is_send ? free_at : free_at + spec_.alpha_ns;
}

}  // namespace p2p
