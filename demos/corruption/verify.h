// What the demo compares with: known bytes for each microbatch, and a pool that hands out the same memory again.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "demos/p2p/world.h"

/// Writes the bytes of a microbatch; any two microbatches differ nearly everywhere.
p2p::Kernel fill(p2p::Tensor& buffer, std::uint64_t seed, int microbatch);

/// A caching allocator in small: what was given back last is handed out first.
class Pool {
 public:
  explicit Pool(std::size_t bytes) : bytes_(bytes) {}
  p2p::Tensor take();
  void give_back(const p2p::Tensor& block) { free_.push_back(block); }

 private:
  std::size_t bytes_;
  std::vector<p2p::Tensor> free_;
};

/// Counts the bytes that are not what they should be, and keeps the first of them.
class Verifier {
 public:
  /// Everything it needs is made now: memory of a GPU may not be asked for while a message waits for its peer.
  Verifier(p2p::World& world, std::size_t bytes, bool receiver_delays);
  void message(const p2p::Tensor& buffer, int microbatch) { compare(buffer, microbatch); }
  /// The receiver's own data, and the check that it is still there.
  void write_own(p2p::Tensor& buffer) const;
  void own(const p2p::Tensor& buffer);
  /// The sender goes on when the receiver has come here too.
  void sender_is_late();
  /// The receiver goes on when the sender has come here too: on a busy machine its delay alone may be over before that.
  /// Nothing when the receiver is not to delay, on a GPU, or under NCCL's rules, where a message in between would stand behind
  /// the one under way and come to the receive that is meant for that one.
  void receiver_is_late();
  std::size_t corrupt_bytes() const { return corrupt_; }
  /// {"offset":…,"sent":"16 bytes in hex","received":"16 bytes in hex"}
  const std::string& first_difference() const { return first_; }

 private:
  void compare(const p2p::Tensor& buffer, int microbatch);
  p2p::World& world_;
  void sign(int from);
  p2p::Tensor sign_;
  bool receiver_delays_;
  std::size_t corrupt_ = 0;
  std::string first_;
};
