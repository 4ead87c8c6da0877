// What F, B and W do on a stage, and which messages belong to them.
#include "demos/pipeline/stage.h"

#include <algorithm>
#include <cmath>

#include "app/schedule/costs.h"

using p2p::Kind;
using p2p::P2POp;
using p2p::Tensor;
using p2plab::schedule::Op;
namespace kernels = p2p::kernels;

namespace {

constexpr float kRate = 0.1F;  ///< of gradient descent

Kind kind_of(Op op) { return op == Op::forward ? Kind::forward : op == Op::weight ? Kind::weight : Kind::backward; }

float* numbers(const Tensor& tensor) { return reinterpret_cast<float*>(tensor.data()); }

float difference(const std::vector<float>& wanted, const Tensor& tensor) {
  const Tensor here = tensor.host();
  float most = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) most = std::max(most, std::abs(wanted[i] - here.f32()[i]));
  return most;
}

}  // namespace

Stage::Stage(p2p::World& world, const Settings& settings, const p2plab::schedule::Layout& layout)
    : world_(world),
      settings_(settings),
      layout_(layout),
      stage_(world.rank()),
      values_(static_cast<std::size_t>(settings.samples) * kWidth),
      data_(static_cast<std::size_t>(settings.samples * settings.microbatches), world.seed()),
      input_(Tensor::of(data_.input)),
      target_(Tensor::of(data_.target)) {
  const auto count = static_cast<std::int64_t>(std::max(settings.bytes / sizeof(float), values_));
  const auto message = [&] { return Tensor::zeros({count}); };
  for (int chunk = 0; chunk < layout_.chunks_on(stage_); ++chunk) {
    const Layer layer = Layer::of_part(layout_.part_of(stage_, chunk), world.seed());
    layers_.push_back({Tensor::of(layer.weight), Tensor::of(layer.bias), Tensor::of(layer.weight_gradient), Tensor::of(layer.bias_gradient)});
    for (int i = 0; i < settings.microbatches; ++i) stash_.push_back({message(), message(), message(), message()});
  }
}

std::optional<P2POp> Stage::message(P2POp::Type type, const Action& action, int other, const Tensor& tensor) const {
  if (action.op == Op::weight || other < 0 || other >= layout_.parts() || layout_.stage_of(other) == stage_) return std::nullopt;
  // Between two stages that hold several chunks messages of several parts travel, both ways if there are only two stages.
  int tag = action.microbatch;
  if (layout_.chunks() > 1) tag += settings_.microbatches * channel(action, type == P2POp::Type::irecv ? part(action) : other);
  return P2POp{type, tensor, layout_.stage_of(other), tag};
}

std::optional<P2POp> Stage::input(const Action& action) {
  Stash& s = stash(action.chunk, action.microbatch);
  return action.op == Op::forward ? message(P2POp::Type::irecv, action, part(action) - 1, s.x)
                                  : message(P2POp::Type::irecv, action, part(action) + 1, s.y_gradient);
}

std::optional<P2POp> Stage::output(const Action& action) {
  Stash& s = stash(action.chunk, action.microbatch);
  return action.op == Op::forward ? message(P2POp::Type::isend, action, part(action) + 1, s.y)
                                  : message(P2POp::Type::isend, action, part(action) - 1, s.x_gradient);
}

std::chrono::nanoseconds Stage::time_of(const Action& action) const {
  // As the simulator deals out times: a chunk takes its share, and a backward that is split is halved.
  const int chunks = layout_.chunks_on(stage_);
  const auto share = [&](std::chrono::nanoseconds whole) { return std::chrono::nanoseconds(p2plab::schedule::share(whole.count(), action.chunk, chunks)); };
  const auto weight = settings_.backward / 2;
  std::chrono::nanoseconds time{};
  switch (action.op) {
    case Op::forward: time = share(settings_.forward); break;
    case Op::input: time = share(settings_.backward - weight); break;
    case Op::weight: time = share(weight); break;
    default: time = share(settings_.backward);
  }
  return stage_ == settings_.slow_stage ? time * settings_.slow_percent / 100 : time;
}

std::chrono::nanoseconds Stage::shortest() const {
  const auto last = static_cast<std::int16_t>(layout_.chunks_on(stage_) - 1);  // its share is the smallest
  return std::max(std::chrono::nanoseconds(1), std::min(time_of({0, last, Op::forward}), time_of({0, last, Op::input})));
}

void Stage::compute(const Action& action) {
  if (last_step_ && stage_ == settings_.freeze_stage && action.op == Op::forward && action.chunk == 0 && action.microbatch == settings_.microbatches / 2)
    world_.compute({Kind::other, "frozen"}, settings_.freeze, {});
  const bool chunks = layout_.chunks() > 1;
  Kernels work;
  if (action.op == Op::forward) forward(action, work);
  if (action.op == Op::backward || action.op == Op::input) backward_input(action, work);
  if (action.op == Op::backward || action.op == Op::weight) backward_weight(action, work);
  world_.launch({kind_of(action.op), {}, action.microbatch, chunks ? action.chunk : -1, chunks ? part(action) : stage_}, time_of(action),
                std::move(work));
}

void Stage::forward(const Action& action, Kernels& out) {
  const Stash& s = stash(action.chunk, action.microbatch);
  const Weights& layer = layers_[static_cast<std::size_t>(action.chunk)];
  const int before = part(action) - 1;
  if (before < 0) {
    out.push_back({kernels::Copy{numbers(input_) + static_cast<std::size_t>(action.microbatch) * values_, numbers(s.x)}, values_});
  } else if (layout_.stage_of(before) == stage_) {
    out.push_back({kernels::Copy{numbers(stash(layout_.chunk_of(before), action.microbatch).y), numbers(s.x)}, values_});
  }
  out.push_back({kernels::Forward{numbers(layer.weight), numbers(layer.bias), numbers(s.x), numbers(s.y), kWidth}, values_});
}

void Stage::backward_input(const Action& action, Kernels& out) {
  const Stash& s = stash(action.chunk, action.microbatch);
  const int after = part(action) + 1;
  if (after == layout_.parts()) {
    const float* target = numbers(target_) + static_cast<std::size_t>(action.microbatch) * values_;
    out.push_back({kernels::LossGradient{numbers(s.y), target, numbers(s.y_gradient), static_cast<float>(data_.target.size() / kWidth)}, values_});
  } else if (layout_.stage_of(after) == stage_) {
    out.push_back({kernels::Copy{numbers(stash(layout_.chunk_of(after), action.microbatch).x_gradient), numbers(s.y_gradient)}, values_});
  }
  const Weights& layer = layers_[static_cast<std::size_t>(action.chunk)];
  out.push_back({kernels::InputGradient{numbers(layer.weight), numbers(s.y), numbers(s.y_gradient), numbers(s.x_gradient), kWidth}, values_});
}

void Stage::backward_weight(const Action& action, Kernels& out) {
  const Stash& s = stash(action.chunk, action.microbatch);
  Weights& layer = layers_[static_cast<std::size_t>(action.chunk)];
  const float *y = numbers(s.y), *y_gradient = numbers(s.y_gradient);
  out.push_back({kernels::WeightGradient{numbers(s.x), y, y_gradient, numbers(layer.weight_gradient), kWidth, values_, layer.gradients_begin}, kWidth * kWidth});
  out.push_back({kernels::BiasGradient{y, y_gradient, numbers(layer.bias_gradient), kWidth, values_, layer.gradients_begin}, kWidth});
  layer.gradients_begin = false;
}

void Stage::begin_step(bool last) {
  for (Weights& layer : layers_) layer.gradients_begin = true;
  last_step_ = last;
}

void Stage::optimize() {
  Kernels work;
  for (const Weights& layer : layers_) {
    work.push_back({kernels::Step{numbers(layer.weight), numbers(layer.weight_gradient), kRate}, layer.weight.numel()});
    work.push_back({kernels::Step{numbers(layer.bias), numbers(layer.bias_gradient), kRate}, layer.bias.numel()});
  }
  world_.launch({Kind::optimizer, "optimizer"}, std::chrono::nanoseconds(0), std::move(work));
  world_.stream("compute").synchronize();
}

float Stage::gradient_error() const {
  const auto serial = train_serially(layout_.parts(), data_, settings_.iterations, kRate, world_.seed());
  float error = 0;
  for (int chunk = 0; chunk < layout_.chunks_on(stage_); ++chunk) {
    const Layer& wanted = serial[static_cast<std::size_t>(layout_.part_of(stage_, chunk))];
    const Weights& got = layers_[static_cast<std::size_t>(chunk)];
    error = std::max({error, difference(wanted.weight_gradient, got.weight_gradient), difference(wanted.bias_gradient, got.bias_gradient)});
  }
  return error;
}
