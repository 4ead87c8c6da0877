// What ran on the virtual clock, as the trace that a real run would have left: every view and every number works on it.
#pragma once
#include "app/schedule/engine.h"
#include "app/trace/trace.h"

namespace p2plab::analysis {

/// Adds one simulated run, which has to have been kept, to a trace: stage s is rank s, its actions stand on the lane
/// `lane`, its messages on `in flight` (unless `messages` is false, as where several schedules share one picture).
/// A span's `stage` is the part of the model, counted through all chunks.
void add_simulated(trace::Trace& trace, const schedule::Simulated& simulated, const schedule::Layout& layout, std::uint64_t message_bytes,
                   std::string_view lane = "compute", bool messages = true);

}  // namespace p2plab::analysis
