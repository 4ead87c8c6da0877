// One step of a pipeline as the demos run it: a fresh model, a schedule, a way to carry it out.
#pragma once
#include <string_view>

#include "app/schedule/engine.h"
#include "app/schedule/generator.h"
#include "demos/pipeline/pipeline.h"

/// Throws where there is no such schedule.
const p2plab::schedule::Generator& find_schedule(const std::string& id);

/// Runs one step of a new model, as a span of this name on the host's lane: one iteration in the trace. Returns the largest
/// difference of any gradient of any rank from those of one process.
double train_step(p2p::World& world, Settings settings, const p2plab::schedule::Generator& generator, const Carry& carry, std::string_view name);

/// What the virtual clock of the simulator says of the same step: exact times, links that cost `latency` alone.
p2plab::schedule::Simulated expected_step(const Settings& settings, const p2plab::schedule::Generator& generator, int stages,
                                          std::chrono::nanoseconds latency = {});
