// The memory that the ranks of one communicator share: who is there, the bounded buffers of every ordered pair, and a place
// for each rank in a collective.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace standin {

constexpr int kMaxRanks = 16;
constexpr std::size_t kSlot = 32 * 1024;  ///< bytes of one rank in one round of a collective

/// First in, first out, for one ordered pair; what fits into it has left its sender.
struct Pair {
  std::atomic<std::uint32_t> sender_came{0}, receiver_came{0};  ///< at the pair's first use
  alignas(64) std::atomic<std::uint64_t> head{0};
  alignas(64) std::atomic<std::uint64_t> tail{0};
};

struct Place {
  std::atomic<int> device{-1};
  std::atomic<std::uint64_t> host{0};
  alignas(64) std::atomic<std::uint64_t> round{0};
  std::atomic<std::uint64_t> signature{0};  ///< of the collective it is in
  char bytes[kSlot];
};

struct Shared {
  std::atomic<std::uint32_t> ready{0};
  std::atomic<int> joined{0}, aborted{0};
  std::atomic<int> collectives_came{0};  ///< ranks, at their first collective
  std::uint64_t buffer = 0;  ///< bytes of one pair
  Place place[kMaxRanks];
  Pair pair[kMaxRanks][kMaxRanks];
};

/// The mapped segment; its name is gone as soon as all ranks are there.
class Segment {
 public:
  /// Opens or makes it; null and a message when that fails.
  static std::unique_ptr<Segment> open(const std::string& name, int ranks, std::size_t buffer);
  Shared& shared() { return *shared_; }
  char* bytes(int from, int to);
  void unlink();

 private:
  std::string name_;
  int ranks_ = 0;
  Shared* shared_ = nullptr;
  char* buffers_ = nullptr;
};

}  // namespace standin
