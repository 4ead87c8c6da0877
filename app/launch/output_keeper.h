// Keeps the first and the last bytes of a stream of any length.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "app/launch/job.h"

namespace p2plab::launch {

class OutputKeeper {
 public:
  /// Keeps `capacity` bytes: half of them for the beginning, the rest for the end.
  explicit OutputKeeper(std::size_t capacity) : head_capacity_(capacity / 2), tail_capacity_(capacity - capacity / 2) {}
  void append(std::string_view bytes);
  std::uint64_t total() const { return total_; }
  RankOutput snapshot() const;

 private:
  std::size_t head_capacity_, tail_capacity_;
  std::string head_;
  std::string tail_;            ///< a ring once it is full
  std::size_t tail_start_ = 0;  ///< its oldest byte
  std::uint64_t total_ = 0;
};

}  // namespace p2plab::launch
