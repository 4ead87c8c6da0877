// What F and B do on a stage, and which messages belong to them.
#include "demos/pipeline/stage.h"

#include <algorithm>
#include <cmath>

using p2p::Kind;
using p2p::P2POp;
using p2p::Tensor;
using p2plab::schedule::Op;

namespace {
constexpr float kRate = 0.1F;  ///< of gradient descent
}

Stage::Stage(p2p::World& world, const Settings& settings)
    : world_(world),
      settings_(settings),
      stage_(world.rank()),
      stages_(world.size()),
      values_(static_cast<std::size_t>(settings.samples) * kWidth),
      data_(static_cast<std::size_t>(settings.samples * settings.microbatches), world.seed()),
      layer_(Layer::of_stage(stage_, world.seed())) {
  const auto numbers = static_cast<std::int64_t>(std::max(settings.bytes / sizeof(float), values_));
  const auto message = [&] { return Tensor::zeros({numbers}); };
  for (int i = 0; i < settings.microbatches; ++i) stash_.push_back({message(), message(), message(), message()});
}

std::optional<P2POp> Stage::input(const Action& action) {
  if (action.op == Op::forward && stage_ > 0)
    return P2POp{P2POp::Type::irecv, stash(action).x, stage_ - 1, action.microbatch};
  if (action.op == Op::backward && stage_ + 1 < stages_)
    return P2POp{P2POp::Type::irecv, stash(action).y_gradient, stage_ + 1, action.microbatch};
  return std::nullopt;
}

std::optional<P2POp> Stage::output(const Action& action) {
  if (action.op == Op::forward && stage_ + 1 < stages_)
    return P2POp{P2POp::Type::isend, stash(action).y, stage_ + 1, action.microbatch};
  if (action.op == Op::backward && stage_ > 0)
    return P2POp{P2POp::Type::isend, stash(action).x_gradient, stage_ - 1, action.microbatch};
  return std::nullopt;
}

void Stage::compute(const Action& action) {
  const bool is_forward = action.op == Op::forward;
  if (last_step_ && stage_ == settings_.freeze_stage && is_forward && action.microbatch == settings_.microbatches / 2)
    world_.compute({Kind::other, "frozen"}, settings_.freeze, {});
  auto time = is_forward ? settings_.forward : settings_.backward;
  if (stage_ == settings_.slow_stage) time = time * settings_.slow_percent / 100;
  world_.compute({is_forward ? Kind::forward : Kind::backward, {}, action.microbatch, -1, stage_}, time, [=, this] {
    if (is_forward) forward(action.microbatch);
    else backward(action.microbatch);
  });
}

void Stage::forward(int microbatch) {
  Stash& s = stash_[static_cast<std::size_t>(microbatch)];
  const auto offset = static_cast<std::size_t>(microbatch) * values_;
  if (stage_ == 0) std::copy_n(data_.input.begin() + static_cast<std::ptrdiff_t>(offset), values_, values(s.x).begin());
  layer_.forward(values(s.x), values(s.y));
}

void Stage::backward(int microbatch) {
  Stash& s = stash_[static_cast<std::size_t>(microbatch)];
  if (stage_ + 1 == stages_) {
    const auto offset = static_cast<std::size_t>(microbatch) * values_;
    loss_gradient(values(s.y), ConstBatch(data_.target).subspan(offset, values_), data_.target.size() / kWidth,
                  values(s.y_gradient));
  }
  layer_.backward(values(s.x), values(s.y), values(s.y_gradient), values(s.x_gradient));
}

void Stage::begin_step(bool last) {
  layer_.clear();
  last_step_ = last;
}

void Stage::optimize() {
  world_.compute({Kind::optimizer, "optimizer"}, std::chrono::nanoseconds(0), [this] { layer_.step(kRate); });
  world_.stream("compute").synchronize();
}

float Stage::gradient_error() const {
  const auto serial = train_serially(stages_, data_, settings_.iterations, kRate, world_.seed());
  const Layer& wanted = serial[static_cast<std::size_t>(stage_)];
  float error = 0;
  for (std::size_t i = 0; i < wanted.weight_gradient.size(); ++i)
    error = std::max(error, std::abs(wanted.weight_gradient[i] - layer_.weight_gradient[i]));
  for (std::size_t i = 0; i < wanted.bias_gradient.size(); ++i)
    error = std::max(error, std::abs(wanted.bias_gradient[i] - layer_.bias_gradient[i]));
  return error;
}
