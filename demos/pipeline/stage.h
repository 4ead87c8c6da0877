// One stage of the pipeline, as its rank holds it: a layer, the tensors of every microbatch, and what F and B do.
#pragma once
#include <optional>
#include <vector>

#include "app/schedule/schedule.h"
#include "demos/p2p/world.h"
#include "demos/pipeline/mlp.h"
#include "demos/pipeline/settings.h"

using p2plab::schedule::Action;

class Stage {
 public:
  Stage(p2p::World& world, const Settings& settings);

  /// The message that `action` needs: activations from the stage before, or their gradients from the stage after.
  std::optional<p2p::P2POp> input(const Action& action);
  /// The message that `action` makes: activations for the stage after, or their gradients for the stage before.
  std::optional<p2p::P2POp> output(const Action& action);
  /// Enqueues F or B of a microbatch on the stream `compute`; returns at once.
  void compute(const Action& action);

  void begin_step(bool last);  ///< clears the gradients; the last step is the one that freeze_stage disturbs
  void optimize();             ///< enqueues the weight update; waits for it
  /// Largest difference between this stage's gradients and those of one process without microbatches.
  float gradient_error() const;

 private:
  /// What a microbatch leaves here between its F and its B, in messages of the stated size.
  struct Stash {
    p2p::Tensor x, y, y_gradient, x_gradient;
  };
  Stash& stash(const Action& action) { return stash_[static_cast<std::size_t>(action.microbatch)]; }
  Batch values(const p2p::Tensor& tensor) const { return tensor.f32().first(values_); }
  void forward(int microbatch);
  void backward(int microbatch);

  p2p::World& world_;
  const Settings settings_;
  const int stage_, stages_;
  const std::size_t values_;  ///< numbers of one microbatch; the rest of a message is padding
  const Data data_;
  Layer layer_;
  std::vector<Stash> stash_;
  bool last_step_ = false;
};
