// The boundaries of a pipeline by other means: lanes for each channel, broadcasts in groups of two, one all-reduce of all.
#include <algorithm>
#include <array>
#include <map>

#include "demos/p2p/rules.h"
#include "demos/pipeline/pipeline.h"

using namespace p2p;
using p2plab::schedule::Generator;
using p2plab::schedule::Layout;
using p2plab::schedule::Op;
using p2plab::schedule::Shape;

namespace {

/// The host may go only where all streams have been.
void finish_lanes(World& world, const std::vector<std::string>& lanes) {
  for (const std::string& lane : lanes) world.stream(lane).synchronize();
}

}  // namespace

// [lanes]
// Messages of one channel (a boundary of the model, in one direction) come in the order in which they are sent; those of
// two channels need not. Where a stage holds both ends of a V one lane for all of them would wait for the wrong one.
Carry in_lanes(bool lane_per_channel, std::chrono::nanoseconds latency) {
  return [=](World& world, Stage& stage, const StageOrder& order) {
    Stream compute = world.stream("compute");
    const auto lane_in = [&](const Action& action) {
      return lane_per_channel ? "comm in " + std::to_string(stage.channel_in(action)) : std::string("comm in");
    };
    // A message that waits out its latency holds its lane: as many lanes as messages can be on the way.
    const std::size_t lanes_out = latency.count() > 0 ? static_cast<std::size_t>((latency - std::chrono::nanoseconds(1)) / stage.shortest()) + 1 : 1;
    std::vector<std::string> used{"compute"};
    const auto use = [&](const std::string& lane) {
      if (std::find(used.begin(), used.end(), lane) == used.end()) used.push_back(lane);
      return world.stream(lane);
    };
    std::size_t sent = 0;
    for (const Action& action : order) {
      if (auto message = stage.input(action)) {
        Stream in = use(lane_in(action));
        world.irecv(message->tensor, message->peer, message->tag, &in);
        compute.wait(in.record());
      }
      stage.compute(action);
      if (auto message = stage.output(action)) {
        const std::size_t lane = sent++ % lanes_out;
        Stream out = use(lane == 0 ? "comm" : "comm " + std::to_string(lane + 1));
        out.wait(compute.record());
        if (latency.count() > 0) world.compute({Kind::other, "latency"}, latency, {}, &out);
        world.isend(message->tensor, message->peer, message->tag, &out);
      }
    }
    finish_lanes(world, used);
  };
}
// [end]

// [bcast2]
// A broadcast in a group of two ranks moves the same bytes from the same sender to the same receiver: the schedule does not
// notice the difference (DeepSpeed did this before torch 1.8).
Carry broadcasts(World& world, const Layout& layout) {
  std::map<int, Group> groups;  // by channel
  for (int channel = 0; channel < 2 * layout.parts(); ++channel) {
    const int receiver = channel / 2, sender = channel % 2 == 0 ? receiver - 1 : receiver + 1;
    if (sender < 0 || sender >= layout.parts()) continue;
    const std::array ends{layout.stage_of(sender), layout.stage_of(receiver)};
    if (ends[0] != ends[1] && std::find(ends.begin(), ends.end(), world.rank()) != ends.end()) groups[channel] = world.new_group(ends);
  }
  return [groups](World& w, Stage& stage, const StageOrder& order) {
    Stream compute = w.stream("compute"), in = w.stream("comm in"), out = w.stream("comm");
    for (const Action& action : order) {
      if (auto message = stage.input(action)) {
        w.broadcast(message->tensor, message->peer, groups.at(stage.channel_in(action)), &in);
        compute.wait(in.record());
      }
      stage.compute(action);
      if (auto message = stage.output(action)) {
        out.wait(compute.record());
        w.broadcast(message->tensor, w.rank(), groups.at(stage.channel_out(action)), &out);
      }
    }
    finish_lanes(w, {"compute", "comm"});
  };
}
// [end]

namespace {

/// What a stage does in each slot; nothing where it only meets.
std::vector<std::optional<Action>> slots_of(const Generator& generator, const Shape& shape, int stage) {
  std::vector<std::optional<Action>> out{std::nullopt};
  if (stage < 0 || stage >= shape.stages) return out;
  for (const Action& action : stage_order(generator, {.shape = shape}, stage)) {
    if (action.op == Op::meet) out.emplace_back();
    else out.back() = action;
  }
  return out;
}

std::optional<Action> in_slot(const std::vector<std::optional<Action>>& slots, std::size_t slot) { return slot < slots.size() ? slots[slot] : std::nullopt; }

}  // namespace

// [allreduce]
// Everybody waits for everybody after every slot. A sum mixes what it adds, so each stage has its own place in the vector
// and leaves zeros in those of the others: p times the bytes, for the one message that each neighbour needs.
Carry meetings(World& world, const Generator& generator, const Shape& shape) {
  const int me = world.rank();
  const auto before = slots_of(generator, shape, me - 1), after = slots_of(generator, shape, me + 1);
  return [=](World& w, Stage& stage, const StageOrder& order) {
    Stream compute = w.stream("compute");
    const std::size_t size = stage.message_values();
    Tensor all = Tensor::zeros({w.size() * static_cast<std::int64_t>(size)});
    const auto numbers = [](const Tensor& tensor) { return reinterpret_cast<float*>(tensor.data()); };
    const auto place = [&](int rank) { return numbers(all) + static_cast<std::size_t>(rank) * size; };
    const auto copy = [&](const float* from, float* to) { return Kernel{kernels::Copy{from, to}, size}; };
    std::size_t slot = 0;
    for (const Action& action : order) {
      if (action.op != Op::meet) {
        stage.compute(action);
        compute.synchronize();
        if (auto message = stage.output(action)) arithmetic(w, {Kind::copy, "place"}, {copy(numbers(message->tensor), place(me))});
        continue;
      }
      w.all_reduce(all);
      finish(w);
      // What the stage before has made forward, and the stage after backward, is the input of the same microbatch here.
      std::vector<Kernel> moves;
      if (const auto made = in_slot(before, slot); made && made->op == Op::forward) moves.push_back(copy(place(me - 1), numbers(stage.input(*made)->tensor)));
      if (const auto made = in_slot(after, slot); made && made->op != Op::forward) moves.push_back(copy(place(me + 1), numbers(stage.input(*made)->tensor)));
      moves.push_back({kernels::Set{numbers(all), 0}, all.numel()});
      arithmetic(w, {Kind::copy, "take"}, std::move(moves));
      ++slot;
    }
    compute.synchronize();  // before the vector goes
  };
}
// [end]
