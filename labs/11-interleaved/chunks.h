// Given by the lab; not to be changed. A model of p·v layers; this rank holds v of them, its chunks: part k = chunk · p + rank.
#pragma once
#include <map>
#include <vector>

#include "demos/p2p/world.h"
#include "mlp.h"

class Chunks {
 public:
  explicit Chunks(p2p::World& world);

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }                ///< p
  int chunks() const { return chunks_; }              ///< v
  int microbatches() const { return microbatches_; }  ///< m
  int part(int chunk) const { return chunk * ranks_ + rank_; }
  int parts() const { return ranks_ * chunks_; }

  // The messages of microbatch i at a chunk. Part 0 reads the data, the last part makes the loss.
  p2p::Tensor& x(int chunk, int i) { return at(chunk, i).x; }    ///< activations from the part before
  p2p::Tensor& y(int chunk, int i) { return at(chunk, i).y; }    ///< activations for the part after
  p2p::Tensor& dy(int chunk, int i) { return at(chunk, i).dy; }  ///< their gradient from the part after
  p2p::Tensor& dx(int chunk, int i) { return at(chunk, i).dx; }  ///< the gradient for the part before

  // Each takes 1/v of a stage's time, and returns when it is done.
  void forward(int chunk, int i);
  void backward(int chunk, int i);

  void report();  ///< for main.cpp: hands the gradients over to the checker

 private:
  struct Tensors {
    p2p::Tensor x, y, dy, dx;
  };
  Tensors& at(int chunk, int i) { return tensors_.at({chunk, i}); }
  void run(p2p::Kind kind, int chunk, int i, std::int64_t us, const std::function<void()>& body);

  p2p::World& world_;
  const int rank_, ranks_, chunks_, microbatches_;
  const std::int64_t forward_us_, backward_us_;
  const Data data_;
  std::vector<Layer> layers_;
  std::map<std::pair<int, int>, Tensors> tensors_;
};

/// You write it: one training step of this rank's chunks.
void train_step(p2p::World& world, Chunks& chunks);
