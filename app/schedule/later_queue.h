// What is still to happen, soonest first, of equal times in the order of adding. Times mostly rise as they are added (an
// instant plus one of a few delays), so a few rising lanes take nearly all of it; a heap takes the rest.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

namespace p2plab::schedule {

template <class What>
class LaterQueue {
 public:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  void add(std::int64_t when, const What& what) {
    const Entry entry{when, sequence_++, what};
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      Lane& lane = lanes_[i];
      if (lane.first == lane.entries.size()) {
        lane.entries.clear();
        lane.first = 0;
      } else if (lane.entries.back().when > when) {
        continue;
      } else if (lane.first > kSpent && 2 * lane.first > lane.entries.size()) {
        lane.entries.erase(lane.entries.begin(), lane.entries.begin() + static_cast<std::ptrdiff_t>(lane.first));
        lane.first = 0;
      }
      lane.entries.push_back(entry);
      used_ = std::max(used_, i + 1);
      return;
    }
    rest_.push(entry);
  }
  /// When the soonest happens; kNever when there is nothing.
  std::int64_t next() const {
    std::int64_t when = rest_.empty() ? kNever : rest_.top().when;
    for (std::size_t i = 0; i < used_; ++i) {
      const Lane& lane = lanes_[i];
      if (lane.first < lane.entries.size() && lane.entries[lane.first].when < when) when = lane.entries[lane.first].when;
    }
    return when;
  }
  /// The soonest, which it then lacks; nothing when nothing happens until `now`.
  std::optional<What> take(std::int64_t now) {
    Lane* from = nullptr;
    for (std::size_t i = 0; i < used_; ++i) {
      Lane& lane = lanes_[i];
      if (lane.first < lane.entries.size() && (from == nullptr || from->entries[from->first] > lane.entries[lane.first])) from = &lane;
    }
    if (from != nullptr && (rest_.empty() || rest_.top() > from->entries[from->first])) {
      const Entry& soonest = from->entries[from->first];
      if (soonest.when > now) return std::nullopt;
      ++from->first;
      return soonest.what;
    }
    if (rest_.empty() || rest_.top().when > now) return std::nullopt;
    const What what = rest_.top().what;
    rest_.pop();
    return what;
  }

 private:
  static constexpr std::size_t kSpent = 64;  ///< entries at the front of a lane before it is worth moving the others down
  struct Entry {
    std::int64_t when;
    std::uint64_t sequence;
    What what;
    bool operator>(const Entry& other) const { return std::tie(when, sequence) > std::tie(other.when, other.sequence); }
  };
  struct Lane {
    std::vector<Entry> entries;
    std::size_t first = 0;  ///< not yet taken
  };
  std::array<Lane, 4> lanes_;
  std::size_t used_ = 0;  ///< lanes that have ever held anything: the first ones
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> rest_;
  std::uint64_t sequence_ = 0;
};

}  // namespace p2plab::schedule
