// The stage whose action ends next: a tournament tree, one match per level when a stage's time changes.
#pragma once
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace p2plab::schedule {

class Soonest {
 public:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  explicit Soonest(int stages) : leaves_(std::bit_ceil(static_cast<std::size_t>(stages))), when_(leaves_, kNever), winner_(2 * leaves_) {
    for (std::size_t i = 0; i < leaves_; ++i) winner_[leaves_ + i] = static_cast<std::int32_t>(i);
    for (std::size_t i = leaves_ - 1; i > 0; --i) winner_[i] = winner_[2 * i];
  }
  void set(int stage, std::int64_t when) {
    when_[static_cast<std::size_t>(stage)] = when;
    for (std::size_t i = (leaves_ + static_cast<std::size_t>(stage)) / 2; i > 0; i /= 2) {
      const std::int32_t left = winner_[2 * i], right = winner_[2 * i + 1];
      const std::int32_t winner = at(right) < at(left) ? right : left;  // of equal times the lower stage
      if (winner == winner_[i] && winner != stage) return;              // further up nothing changes, either
      winner_[i] = winner;
    }
  }
  /// -1: nobody runs.
  int stage() const { return at(winner_[1]) == kNever ? -1 : winner_[1]; }

 private:
  std::int64_t at(std::int32_t stage) const { return when_[static_cast<std::size_t>(stage)]; }
  std::size_t leaves_;
  std::vector<std::int64_t> when_;
  std::vector<std::int32_t> winner_;
};

}  // namespace p2plab::schedule
