// p2plab sim --sweep: one number of the shape takes many values; the curves, as table, chart and picture.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/check/sim.h"
#include "app/cli/context.h"
#include "app/report/chart.h"

namespace p2plab::cli {

struct Sweep {
  std::string what;  ///< m, p or v
  std::vector<int> values;
};

/// "m=4..64", "m=4..64:4", "p=2,4,8". Throws Error.
Sweep parse_sweep(const std::string& text);

/// One schedule at each value that it has.
struct Swept {
  std::string schedule;
  std::vector<int> values;              ///< those that were run
  std::vector<check::SimRun> runs;
};

struct SweepResult {
  Sweep over;
  std::vector<Swept> schedules;
  int left_out = 0;                     ///< values that a schedule does not have
  std::string why;                      ///< the first refusal, for people
};

/// Throws what the first value threw where a schedule has none of them.
SweepResult run_sweep(const Context& context, const Sweep& over, const std::vector<check::SimRequest>& schedules);

/// "p=8 m=4…64 · …": the conditions with the range of what is swept.
std::string sweep_conditions(const Context& context, const SweepResult& result);
/// Bubble (with its closed form) and makespan over what is swept.
std::vector<report::Chart> sweep_charts(const Context& context, const SweepResult& result);
/// Tables, and charts where somebody looks.
void print_sweep(const Context& context, const SweepResult& result, std::ostream& out, int fd);
nlohmann::ordered_json sweep_json(const SweepResult& result);

}  // namespace p2plab::cli
