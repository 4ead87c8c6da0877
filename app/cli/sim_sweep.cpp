// See sim_sweep.h.
#include "app/cli/sim_sweep.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <ostream>
#include <set>

#include "app/cli/show_sim.h"
#include "app/report/quantity.h"
#include "app/report/terminal_chart.h"

namespace p2plab::cli {

namespace {

using check::SimRun;

constexpr std::size_t kMostSwept = 500;  ///< values
constexpr int kLogFrom = 32;             ///< last over first value from which doublings are equally far apart

std::string share(double value) { return fmt::format("{:.2f} %", value * 100); }

bool wide(const SweepResult& result) {
  return result.over.values.size() > 1 && result.over.values.back() >= kLogFrom * result.over.values.front();
}

report::Chart chart(const Context& context, const SweepResult& result, const char* title, report::Quantity quantity) {
  report::Chart out;
  out.x = {context("sim.axis." + result.over.what), report::Quantity::count, wide(result)};
  out.y = {context(title), quantity, false};
  return out;
}

/// A row for each value, a column for each schedule.
template <class Cell>
std::string by_value(const SweepResult& result, Cell cell) {
  std::vector<std::vector<std::string>> rows{{result.over.what}};
  std::set<int> values;
  for (const Swept& one : result.schedules) {
    rows.front().push_back(one.schedule);
    values.insert(one.values.begin(), one.values.end());
  }
  for (const int value : values) {
    std::vector<std::string>& row = rows.emplace_back(std::vector<std::string>{std::to_string(value)});
    for (const Swept& one : result.schedules) {
      const auto at = std::find(one.values.begin(), one.values.end(), value);
      row.push_back(at == one.values.end() ? "–" : cell(one.runs[static_cast<std::size_t>(at - one.values.begin())]));
    }
  }
  return table(rows);
}

}  // namespace

Sweep parse_sweep(const std::string& text) {
  const auto refuse = [&] { return Error("sim.bad_sweep", {{"value", text}}); };
  const auto equals = text.find('=');
  if (equals == std::string::npos) throw refuse();
  Sweep out{text.substr(0, equals), {}};
  if (out.what != "m" && out.what != "p" && out.what != "v") throw refuse();
  std::string_view rest = std::string_view(text).substr(equals + 1);
  const auto number = [&](std::string_view& from) {
    int value = 0;
    const auto [end, error] = std::from_chars(from.data(), from.data() + from.size(), value);
    if (error != std::errc{} || value < 1) throw refuse();
    from.remove_prefix(static_cast<std::size_t>(end - from.data()));
    return value;
  };
  const int first = number(rest);
  if (rest.starts_with("..")) {
    rest.remove_prefix(2);
    const int last = number(rest);
    int step = 1;
    if (rest.starts_with(':')) {
      rest.remove_prefix(1);
      step = number(rest);
    }
    if (!rest.empty() || last < first) throw refuse();
    if (static_cast<std::size_t>((last - first) / step) >= kMostSwept) throw Error("sim.long_sweep", {{"value", text}, {"max", std::to_string(kMostSwept)}});
    for (std::int64_t value = first; value <= last; value += step) out.values.push_back(static_cast<int>(value));
    return out;
  }
  out.values.push_back(first);
  while (rest.starts_with(',')) {
    rest.remove_prefix(1);
    out.values.push_back(number(rest));
  }
  if (!rest.empty()) throw refuse();
  if (out.values.size() > kMostSwept) throw Error("sim.long_sweep", {{"value", text}, {"max", std::to_string(kMostSwept)}});
  std::sort(out.values.begin(), out.values.end());
  out.values.erase(std::unique(out.values.begin(), out.values.end()), out.values.end());
  return out;
}

SweepResult run_sweep(const Context& context, const Sweep& over, const std::vector<check::SimRequest>& schedules) {
  SweepResult out{over, {}, 0, {}};
  for (const check::SimRequest& request : schedules) {
    Swept swept{request.schedule, {}, {}};
    std::optional<Error> refused;
    for (const int value : over.values) {
      check::SimRequest one = request;
      (over.what == "m" ? one.microbatches : over.what == "p" ? one.stages : one.chunks) = value;
      try {
        swept.runs.push_back(check::simulate(one));
        swept.values.push_back(value);
      } catch (const Error& error) {  // this value is none for the schedule; others may be
        if (error.text().id != "schedule.not_a_multiple" && !(over.what == "v" && error.text().id.starts_with("schedule.bad_chunks"))) throw;
        if (!refused) refused = error;
        ++out.left_out;
      }
    }
    if (swept.runs.empty()) throw *refused;
    if (refused && out.why.empty()) out.why = context.text(*refused);
    out.schedules.push_back(std::move(swept));
  }
  return out;
}

std::string sweep_conditions(const Context& context, const SweepResult& result) {
  int low = result.schedules.front().values.front(), high = low;
  for (const Swept& one : result.schedules) {
    low = std::min(low, one.values.front());
    high = std::max(high, one.values.back());
  }
  return sim_conditions(context, result.schedules.front().runs.front(), result.over.what,
                        low == high ? std::to_string(low) : fmt::format("{}…{}", low, high));
}

std::vector<report::Chart> sweep_charts(const Context& context, const SweepResult& result) {
  report::Chart bubble = chart(context, result, "sim.bubble", report::Quantity::share), time = chart(context, result, "sim.makespan", report::Quantity::time_ns);
  for (std::size_t i = 0; i < result.schedules.size(); ++i) {
    const Swept& one = result.schedules[i];
    report::ChartSeries ratio{.name = one.schedule, .source = {}, .ink = report::series_ink(i), .points = {}}, makespan = ratio;
    report::ChartSeries ideal{.name = context("sim.ideal_of", {{"schedule", one.schedule}}), .source = context("sim.ideal_source"),
                              .style = report::ChartSeries::Style::reference, .ink = report::series_ink(i), .points = {}};
    bool differs = false;
    for (std::size_t k = 0; k < one.runs.size(); ++k) {
      const SimRun& run = one.runs[k];
      const auto x = static_cast<double>(one.values[k]);
      ratio.points.push_back({x, run.simulated.bubble_ratio()});
      makespan.points.push_back({x, static_cast<double>(run.simulated.makespan)});
      const auto formula = run.ideal_ratio();
      if (!formula) continue;
      ideal.points.push_back({x, *formula});
      differs = differs || std::abs(*formula - run.simulated.bubble_ratio()) > 1e-4;
    }
    bubble.series.push_back(std::move(ratio));
    if (differs) bubble.series.push_back(std::move(ideal));  // on the curve it would only be said twice
    time.series.push_back(std::move(makespan));
  }
  return {std::move(bubble), std::move(time)};
}

void print_sweep(const Context& context, const SweepResult& result, std::ostream& out, int fd) {
  const report::Terminal terminal = report::terminal(fd);
  if (result.schedules.size() == 1) {
    const Swept& only = result.schedules.front();
    std::vector<std::string> names;
    for (const int value : only.values) names.push_back(std::to_string(value));
    out << only.runs.front().name << "  " << sweep_conditions(context, result) << "\n\n";
    print_sims(context, only.runs, names, result.over.what, out, fd);
  } else {
    out << sweep_conditions(context, result) << "\n\n  " << context("sim.bubble") << "\n"
        << by_value(result, [](const SimRun& run) { return share(run.simulated.bubble_ratio()); }) << "\n  " << context("sim.makespan") << "\n"
        << by_value(result, [](const SimRun& run) { return report::duration(run.simulated.makespan); });
  }
  if (result.left_out > 0) out << "\n  " << context("sim.left_out", {{"n", std::to_string(result.left_out)}, {"why", result.why}}) << "\n";
  if (result.over.values.size() > 1)
    for (const report::Chart& one : sweep_charts(context, result)) out << "\n" << report::terminal_chart(one, terminal);
  out << std::flush;
}

nlohmann::ordered_json sweep_json(const SweepResult& result) {
  return {{"over", result.over.what}, {"values", result.over.values}, {"left_out", result.left_out}};
}

}  // namespace p2plab::cli
