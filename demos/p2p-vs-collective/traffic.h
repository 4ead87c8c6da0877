// What the algorithms send by the book.
#pragma once
#include <bit>
#include <cmath>
#include <string_view>

/// Bytes that the busiest of p ranks sends for n bytes of data. Ring: 2(p-1)/p n (Patarasuk and Yuan, JPDC 69(2), 2009).
inline double bytes_of_busiest(std::string_view algorithm, int p, double n) {
  const double power = std::bit_floor(static_cast<unsigned>(p));
  if (algorithm == "send") return n;
  if (algorithm == "gather-broadcast") return (p - 1) * n;
  if (algorithm == "ring") return 2 * (p - 1) * n / p;
  if (algorithm == "doubling") return (std::log2(power) + (p > power ? 1 : 0)) * n;
  return 0;  // the library's own affair
}

/// The least that the busiest of p ranks has to send, whatever a library does inside: the root of a broadcast gives its data away
/// once, and a sum on all ranks takes 2(p-1)/p n (Patarasuk and Yuan).
inline double least_of_busiest(std::string_view algorithm, int p, double n) {
  if (algorithm == "broadcast") return n;
  if (algorithm == "all-reduce") return 2 * (p - 1) * n / p;
  return 0;
}
