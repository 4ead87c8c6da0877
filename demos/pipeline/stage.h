// One stage of the pipeline, as its rank holds it: the layers of its chunks, the tensors of every microbatch, and what F, B
// and W do. It knows no schedule: any list of actions (app/schedule) can be carried out on it.
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
  /// `layout` says which parts of the model this rank holds.
  Stage(p2p::World& world, const Settings& settings, const p2plab::schedule::Layout& layout);

  /// The message that `action` needs: activations of the part before, or gradients of the part after. Nothing for W, at the
  /// ends of the model, and where that part lies on the same rank.
  std::optional<p2p::P2POp> input(const Action& action);
  /// The message that `action` makes: activations for the part after, or gradients for the part before.
  std::optional<p2p::P2POp> output(const Action& action);
  /// Of a message: the boundary of the model that it crosses, and in which direction. The messages of a channel come in the
  /// order in which they are sent.
  int channel_in(const Action& action) const { return channel(action, part(action)); }
  int channel_out(const Action& action) const { return channel(action, part(action) + (action.op == p2plab::schedule::Op::forward ? 1 : -1)); }
  std::size_t message_values() const { return stash_.front().x.numel(); }  ///< numbers in a message, the padding included
  /// Of the actions that make a message.
  std::chrono::nanoseconds shortest() const;
  /// Enqueues F, B or W of a microbatch on the stream `compute`; returns at once.
  void compute(const Action& action);

  void begin_step(bool last);  ///< the gradients begin anew; the last step is the one that freeze_stage disturbs
  void optimize();             ///< enqueues the weight update; waits for it
  /// Largest difference between this stage's gradients and those of one process without microbatches.
  float gradient_error() const;

 private:
  /// The layer of a chunk, where kernels find it: in a GPU's memory if there is one.
  struct Weights {
    p2p::Tensor weight, bias, weight_gradient, bias_gradient;
    bool gradients_begin = true;  ///< the first W of a step writes them, the others add
  };
  /// What a microbatch leaves here between its F and its last B or W, in messages of the stated size.
  struct Stash {
    p2p::Tensor x, y, y_gradient, x_gradient;
  };
  Stash& stash(int chunk, int microbatch) {
    return stash_[static_cast<std::size_t>(chunk * settings_.microbatches + microbatch)];
  }
  static int channel(const Action& action, int receiver) { return 2 * receiver + (action.op == p2plab::schedule::Op::forward ? 0 : 1); }
  int part(const Action& action) const { return layout_.part_of(stage_, action.chunk); }
  /// The message of `action` on the way between this part and `other`, whose tensor is `tensor`.
  std::optional<p2p::P2POp> message(p2p::P2POp::Type type, const Action& action, int other, const p2p::Tensor& tensor) const;
  std::chrono::nanoseconds time_of(const Action& action) const;
  using Kernels = std::vector<p2p::Kernel>;
  void forward(const Action& action, Kernels& out);
  void backward_input(const Action& action, Kernels& out);
  void backward_weight(const Action& action, Kernels& out);

  p2p::World& world_;
  const Settings settings_;
  const p2plab::schedule::Layout layout_;
  const int stage_;
  const std::size_t values_;  ///< numbers of one microbatch; the rest of a message is padding
  const Data data_;
  const p2p::Tensor input_, target_;
  std::vector<Weights> layers_;  ///< by chunk
  std::vector<Stash> stash_;   ///< by chunk and microbatch
  bool last_step_ = false;
};
