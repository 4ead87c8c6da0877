// Ways to carry out a schedule on a stage: the same actions in the same order, another kind of communication each.
#pragma once
#include <functional>

#include "app/schedule/generator.h"
#include "demos/pipeline/stage.h"

using p2plab::schedule::StageOrder;

/// Runs the actions of one step and returns when all of them, and their messages, are done.
using Carry = std::function<void(p2p::World&, Stage&, const StageOrder&)>;

// pipeline.cpp: messages between neighbours.
void overlapped(p2p::World& world, Stage& stage, const StageOrder& order);
void nonblocking(p2p::World& world, Stage& stage, const StageOrder& order);
void blocking(p2p::World& world, Stage& stage, const StageOrder& order);
/// Hangs where neighbours send to each other, unless MPI buffers the messages.
void blocking_unfused(p2p::World& world, Stage& stage, const StageOrder& order);

// transports.cpp: the boundaries by other means.
/// As overlapped, in lanes of their own where one lane in the order of need would stand still: a model laid out as a V.
/// `latency`: so long after it was made each message leaves.
Carry in_lanes(bool lane_per_channel, std::chrono::nanoseconds latency = {});
/// As overlapped, each message a broadcast in a group of two ranks. Makes the groups: all ranks call it, for the same model.
Carry broadcasts(p2p::World& world, const p2plab::schedule::Layout& layout);
/// All ranks meet in an all-reduce after every slot of a schedule that says so (Generator::meets); every stage has a place
/// in the vector that is summed.
Carry meetings(p2p::World& world, const p2plab::schedule::Generator& generator, const p2plab::schedule::Shape& shape);
