// The numbers of a saved simulated schedule, from its timeline alone: those that `p2plab sim` printed when it was saved.
#pragma once
#include <nlohmann/json.hpp>

#include "app/trace/trace.h"

namespace p2plab::gui {

/// Saved by `p2plab sim`: no program ran.
bool is_simulated(const trace::RunInfo& run);

/// Under the names of CONTRACTS.md (but not idle time by cause, which the simulator counts and a timeline can only be judged by), with `makespan_ideal_ns` beside `bubble_ideal_ratio` where the schedule has a closed form. Of several
/// schedules side by side what each lane shows: "makespan_ns:gpipe". Empty for a trace without actions.
nlohmann::ordered_json simulated_metrics(const trace::Trace& trace);

}  // namespace p2plab::gui
