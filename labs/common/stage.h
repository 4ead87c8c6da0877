// Given by the lab; not to be changed. One stage of a pipeline: a layer, the tensors of every microbatch, and what F and B
// compute. You decide what is computed when, and what is sent to whom.
#pragma once
#include <vector>

#include "demos/p2p/world.h"
#include "mlp.h"

class Stage {
 public:
  explicit Stage(p2p::World& world);

  int rank() const { return rank_; }                ///< this stage
  int stages() const { return stages_; }            ///< p
  int microbatches() const { return microbatches_; }  ///< m
  bool first() const { return rank_ == 0; }
  bool last() const { return rank_ + 1 == stages_; }

  // The messages of microbatch i. What the first stage reads and the last stage's loss come from the data.
  p2p::Tensor& x(int i) { return at(i).x; }    ///< activations from the stage before: F needs them
  p2p::Tensor& y(int i) { return at(i).y; }    ///< activations for the stage after: F makes them
  p2p::Tensor& dy(int i) { return at(i).dy; }  ///< their gradient from the stage after: B needs it
  p2p::Tensor& dx(int i) { return at(i).dx; }  ///< the gradient for the stage before: B makes it

  // Each computes, and returns when it is done.
  void forward(int i);          ///< F
  void backward(int i);         ///< B and W in one
  void input_gradient(int i);   ///< B alone: dx from dy
  void weight_gradient(int i);  ///< W alone, once B is done

  // For main.cpp.
  void begin_step();
  void report();  ///< hands the gradients over to the checker

 private:
  struct Tensors {
    p2p::Tensor x, y, dy, dx;
  };
  Tensors& at(int i) { return tensors_.at(static_cast<std::size_t>(i)); }
  void run(p2p::Kind kind, int i, std::chrono::nanoseconds time, const std::function<void()>& body);
  void loss(int i);

  p2p::World& world_;
  const int rank_, stages_, microbatches_;
  const std::chrono::nanoseconds forward_, backward_, weight_;
  const Data data_;
  Layer layer_;
  std::vector<Tensors> tensors_;
};

/// You write it: one training step of this stage, all its microbatches. Called once per iteration, on every rank.
void train_step(p2p::World& world, Stage& stage);
