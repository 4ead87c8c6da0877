// Messages made and not yet used, per direction and slot: small rings that grow only where a neighbour runs far ahead.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

namespace p2plab::schedule {

/// A message waiting for its action. `key` is the microbatch, counted over all iterations.
struct Arrival {
  std::int64_t key = -1;
  std::int64_t sent = 0;     ///< when it was made
  std::int64_t arrived = 0;  ///< when it is there
};

class Rings {
 public:
  explicit Rings(std::size_t count) : rings_(count), first_(count * kFirst) {
    for (std::size_t r = 0; r < count; ++r) rings_[r].entries = first_.data() + r * kFirst;
  }

  void put(std::size_t ring, const Arrival& arrival) {
    for (;;) {
      Ring& r = rings_[ring];
      Arrival& place = r.entries[arrival.key & r.mask];
      if (place.key < 0) {
        place = arrival;
        return;
      }
      grow(r);
    }
  }
  /// Null if it is not there.
  const Arrival* find(std::size_t ring, std::int64_t key) const {
    const Ring& r = rings_[ring];
    const Arrival& place = r.entries[key & r.mask];
    return place.key == key ? &place : nullptr;
  }
  void take(std::size_t ring, std::int64_t key) {
    Ring& r = rings_[ring];
    r.entries[key & r.mask].key = -1;
  }

 private:
  static constexpr std::size_t kFirst = 4;
  struct Ring {
    Arrival* entries = nullptr;
    std::int64_t mask = kFirst - 1;
    std::unique_ptr<Arrival[]> own;
  };
  static void grow(Ring& r) {
    for (std::int64_t size = 2 * (r.mask + 1);; size *= 2) {
      auto wider = std::make_unique<Arrival[]>(static_cast<std::size_t>(size));
      bool fits = true;
      for (std::int64_t i = 0; i <= r.mask && fits; ++i) {
        if (r.entries[i].key < 0) continue;
        Arrival& place = wider[static_cast<std::size_t>(r.entries[i].key & (size - 1))];
        fits = place.key < 0;
        place = r.entries[i];
      }
      if (!fits) continue;
      r.own = std::move(wider);
      r.entries = r.own.get();
      r.mask = size - 1;
      return;
    }
  }

  std::vector<Ring> rings_;
  std::vector<Arrival> first_;
};

}  // namespace p2plab::schedule
