// Ways to move data to others and to add it up over all ranks. Each is made of sends and receives, but for the library's.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "demos/p2p/world.h"

/// What one algorithm sends, as the sum over a run of it on one rank.
struct Traffic {
  std::uint64_t sent_bytes = 0;
  int messages = 0;
};

/// The numbers of one rank: an input that says whose it is, and room for what comes.
class Numbers {
 public:
  /// `count` numbers; in pieces, one per rank, if the algorithm wants them so.
  Numbers(const p2p::World& world, std::size_t count, bool in_pieces);
  void refill();  ///< the input again
  std::vector<p2p::Tensor>& pieces() { return pieces_; }
  p2p::Tensor& whole() { return pieces_.front(); }
  p2p::Tensor& room() { return room_; }
  /// Largest difference from the input of rank `from`, or from the sum over all ranks if `from` is negative.
  float error(int from) const;

 private:
  float input(int rank, std::size_t i) const { return static_cast<float>(rank + 1) + static_cast<float>(i % 7); }
  int rank_, size_;
  std::vector<p2p::Tensor> pieces_;
  p2p::Tensor room_;  ///< as large as a piece
};

struct Algorithm {
  std::string_view id;
  bool sums;       ///< leaves the sum on every rank; else rank 0's numbers on others
  bool in_pieces;
  Traffic (*run)(p2p::World&, Numbers&);
};
/// All of them, in the order in which they are shown.
std::span<const Algorithm> algorithms();
