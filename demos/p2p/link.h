// An emulated link: when a message that has really arrived counts as delivered. One direction of one pair carries one
// message at a time.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "demos/p2p/options.h"

namespace p2p {

class Link {
 public:
  explicit Link(LinkSpec spec) : spec_(std::move(spec)) {}
  bool emulated() const { return spec_.emulated(); }
  /// The instant at which an operation that really completed at `now_ns` counts as complete. A send is done when its
  /// last byte has left (n/beta); a receive when the last byte has arrived (alpha + n/beta).
  std::int64_t complete_at(bool is_send, int peer, std::size_t bytes, std::int64_t now_ns);

 private:
  LinkSpec spec_;
  std::mutex mutex_;
  std::map<std::pair<bool, int>, std::int64_t> free_at_;
};

}  // namespace p2p
