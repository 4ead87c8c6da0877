// See show_sim.h.
#include "app/cli/show_sim.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

#include "app/analysis/simulated_trace.h"
#include "app/report/draw_in_flight.h"
#include "app/report/quantity.h"
#include "app/report/terminal_timeline.h"
#include "app/report/utf8.h"

namespace p2plab::cli {

namespace {

using report::duration;
using schedule::Idle;
using schedule::Ns;
using schedule::StageTotals;

constexpr std::size_t kStagesShown = 12;  ///< at each end of a long table
constexpr std::int64_t kSpeedFrom = 100'000;  ///< actions from which the speed says something

std::string percent(double ratio) { return fmt::format("{:.2f} %", ratio * 100); }
std::string plain(double value) { return fmt::format("{:.6g}", value); }
std::string spaces(std::size_t n) { return std::string(n, ' '); }

std::string peaks(const check::SimRun& run) {
  std::string out;
  const std::size_t p = run.simulated.stages.size();
  if (p > 16) {
    double low = run.peak(0), high = low;
    for (std::size_t s = 0; s < p; ++s) {
      low = std::min(low, run.peak(s));
      high = std::max(high, run.peak(s));
    }
    return low == high ? plain(high) : plain(low) + " … " + plain(high);
  }
  for (std::size_t s = 0; s < p; ++s) out += (s > 0 ? " " : "") + plain(run.peak(s));
  return out;
}

/// Bars of equal height for a terminal: eight steps.
std::string bar(double share, int width) {
  static constexpr const char* kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int eighths = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width * 8));
  std::string out;
  for (int i = 0; i < eighths / 8; ++i) out += "█";
  return out + kEighths[eighths % 8];
}

std::string numbers(const Context& context, const check::SimRun& run) {
  const auto& simulated = run.simulated;
  std::vector<std::array<std::string, 3>> lines;
  const auto line = [&](const char* id, const std::string& value, const std::string& beside = {}) { lines.push_back({context(id), value, beside}); };
  line("sim.makespan", duration(simulated.makespan));
  const double ratio = simulated.bubble_ratio();
  const auto ideal = run.ideal_ratio();
  const auto why = run.why_no_ideal();
  line("sim.bubble", percent(ratio), ideal ? context("sim.ideal", {{"value", percent(*ideal)}}) : why ? context(why->id, why->params) : "");
  if (ratio < 1) line("sim.bubble_over_ideal", percent(ratio / (1 - ratio)));
  Ns busiest = 0;
  for (const StageTotals& stage : simulated.stages) busiest = std::max(busiest, stage.busy);
  if (const Ns window = simulated.longest_window(); window > 0 && window != simulated.makespan)
    line("sim.bubble_in_window", percent(1 - static_cast<double>(busiest) / static_cast<double>(window)), context("sim.window", {{"value", duration(window)}}));
  if (simulated.iteration_end.size() > 1)
    line("sim.period", duration(simulated.iteration_end.back() - simulated.iteration_end[simulated.iteration_end.size() - 2]));
  line("sim.peak", peaks(run), run.costs.weight_memory < 1 ? context("sim.weight_memory_used", {{"value", plain(run.costs.weight_memory)}}) : "");
  if (simulated.messages > 0)
    line("sim.messages", std::to_string(simulated.messages),
         run.costs.link.bytes > 0 ? context("sim.of_bytes", {{"value", report::bytes(run.costs.link.bytes)}}) : "");
  if (run.splits() && !run.request.weight_ns && run.request.times.empty()) line("sim.split", context("sim.split_halves"));
  std::size_t names = 0, values = 0;
  for (const auto& [name, value, beside] : lines) {
    names = std::max(names, static_cast<std::size_t>(report::columns(name)));
    if (!beside.empty()) values = std::max(values, static_cast<std::size_t>(report::columns(value)));
  }
  std::string out;
  for (const auto& [name, value, beside] : lines) {
    out += "  " + name + spaces(names - static_cast<std::size_t>(report::columns(name)) + 2) + value;
    if (!beside.empty()) out += spaces(values - static_cast<std::size_t>(report::columns(value)) + 2) + beside;
    out += "\n";
  }
  return out;
}

/// How many activations each stage keeps over time, a line of low blocks each.
std::string kept(const Context& context, const check::SimRun& run, int columns) {
  const auto curves = check::in_flight(run);
  if (curves.empty() || curves.size() > 16) return {};
  double most = 0;
  for (const auto& curve : curves) most = std::max(most, analysis::peak(curve));
  std::string out = "  " + context("sim.kept", {{"n", report::in_flight_number(most)}}) + "\n";
  const int room = std::clamp(columns - 14, 10, 120);
  for (std::size_t s = 0; s < curves.size(); ++s)
    out += fmt::format("  {:>3}  {}\n", s, report::in_flight_line(curves[s], 0, std::max<Ns>(1, run.simulated.makespan), room, most));
  return out + "\n";
}

std::string stages(const Context& context, const check::SimRun& run) {
  const auto& all = run.simulated.stages;
  std::vector<std::vector<std::string>> rows{{context("sim.stage"), context("sim.begin"), context("sim.end"), context("sim.busy")}};
  std::vector<Idle> causes;  // a cause that no stage has is no column
  for (const auto& [cause, id] : {std::pair{Idle::warm_up, "sim.warm_up"}, std::pair{Idle::upstream, "sim.upstream"}, std::pair{Idle::transfer, "sim.transfer"},
                                  std::pair{Idle::meeting, "sim.straggler"}, std::pair{Idle::drain, "sim.drain"}}) {
    if (std::none_of(all.begin(), all.end(), [cause](const StageTotals& stage) { return stage.idle[static_cast<std::size_t>(cause)] > 0; })) continue;
    causes.push_back(cause);
    rows[0].push_back(context(id));
  }
  rows[0].push_back(context("sim.in_flight"));
  for (std::size_t s = 0; s < all.size(); ++s) {
    if (all.size() > 2 * kStagesShown && s >= kStagesShown && s + kStagesShown < all.size()) {
      if (s == kStagesShown) rows.push_back({"…"});
      continue;
    }
    rows.push_back({std::to_string(s), duration(all[s].begin), duration(all[s].end), duration(all[s].busy)});
    for (const Idle cause : causes) rows.back().push_back(duration(all[s].idle[static_cast<std::size_t>(cause)]));
    rows.back().push_back(plain(run.peak(s)));
  }
  return table(rows);
}

/// A column of a comparison: two lines of heading, then a cell for each run.
struct Column {
  std::vector<std::string> cells;
  int spared = 0;  ///< the higher, the sooner it is left out where a terminal is narrow; 0: never
};

int width_of(const std::vector<Column>& columns) {
  int width = 0;
  for (const Column& column : columns) {
    int widest = 0;
    for (const std::string& cell : column.cells) widest = std::max(widest, report::columns(cell));
    width += 2 + widest;
  }
  return width;
}

}  // namespace

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<int> width;
  for (const auto& row : rows) {
    if (width.size() < row.size()) width.resize(row.size(), 0);
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], report::columns(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string air = spaces(static_cast<std::size_t>(width[i] - report::columns(row[i])));
      out += "  " + (i == 0 ? row[i] + air : air + row[i]);
    }
    while (out.ends_with(' ')) out.pop_back();
    out += "\n";
  }
  return out;
}

std::string sim_conditions(const Context& context, const check::SimRun& run, const std::string& swept, const std::string& range) {
  const auto number = [&](const char* name, int own) { return fmt::format("{}={}", name, swept == name ? range : std::to_string(own)); };
  std::string out = number("p", run.shape.stages) + " " + number("m", run.shape.microbatches);
  if (run.shape.chunks > 1 || swept == "v") out += " " + number("v", run.shape.chunks);
  if (run.costs.uniform()) {
    const auto& t = run.costs.times[0];
    out += fmt::format(" · F {}  B {}", duration(t.forward), duration(run.splits() ? t.input : t.input + t.weight));
    if (run.splits()) out += fmt::format("  W {}", duration(t.weight));
  } else {
    out += " · " + context("sim.own_times");
  }
  const auto& link = run.costs.link;
  if (link.latency_ns > 0) out += fmt::format(" · α {}", duration(link.latency_ns));
  if (link.bytes_per_s > 0) out += fmt::format(" · β {:.4g} GB/s · {}", link.bytes_per_s / 1e9, report::bytes(link.bytes));
  if (run.request.iterations > 1) out += " · " + context("sim.iterations", {{"n", std::to_string(run.request.iterations)}});
  if (run.request.memory_limit) out += " · " + context("sim.limited", {{"n", std::to_string(*run.request.memory_limit)}});
  return out + " · " + context("sim.virtual_clock");
}

trace::Trace sim_trace(const std::vector<check::SimRun>& runs) {
  trace::Trace out;
  const check::SimRun& first = runs.front();
  out.run.backend = "sim";
  out.run.compute = "paced";
  out.run.semantics = "mpi";
  out.run.ranks = first.shape.stages;
  out.run.version = P2PLAB_VERSION;
  out.run.knobs = {{"microbatches", std::to_string(first.shape.microbatches)}};
  if (first.costs.uniform()) {  // a picture of it has to say what it rests on
    const auto& t = first.costs.times[0];
    const bool splits = std::any_of(runs.begin(), runs.end(), [](const check::SimRun& run) { return run.splits(); });
    out.run.knobs["F"] = duration(t.forward);
    out.run.knobs["B"] = duration(splits ? t.input : t.input + t.weight);
    if (splits) out.run.knobs["W"] = duration(t.weight);
  }
  if (first.shape.chunks > 1) out.run.knobs["chunks"] = std::to_string(first.shape.chunks);
  if (first.request.iterations > 1) out.run.knobs["iterations"] = std::to_string(first.request.iterations);
  if (first.request.memory_limit) out.run.knobs["memory_limit"] = std::to_string(*first.request.memory_limit);
  if (first.costs.link.bytes > 0) out.run.knobs["activation"] = report::bytes(first.costs.link.bytes);
  if (first.costs.optimizer_ns > 0) out.run.knobs["optimizer"] = duration(first.costs.optimizer_ns);
  if (first.costs.weight_memory < 1) out.run.knobs["weight_memory"] = plain(first.costs.weight_memory);
  const auto& link = first.costs.link;
  if (link.latency_ns > 0) out.run.knobs["α"] = duration(link.latency_ns);
  if (link.bytes_per_s > 0) out.run.knobs["β"] = fmt::format("{:.4g} GB/s", link.bytes_per_s / 1e9);
  if (link.latency_ns <= 0 && link.bytes_per_s <= 0) out.run.link = "raw";
  for (const check::SimRun& run : runs) {
    std::string& names = out.run.knobs["schedule"];
    names += (names.empty() ? "" : " ") + run.name;
    analysis::add_simulated(out, run.simulated, run.layout, run.costs.link.bytes, runs.size() == 1 ? "compute" : run.name, runs.size() == 1);
  }
  return out;
}

void print_sim(const Context& context, const check::SimRun& run, bool timeline, std::ostream& out, int fd) {
  const report::Terminal terminal = report::terminal(fd);
  out << report::coloured(run.name, report::Ink::accent, terminal, true) << "  " << sim_conditions(context, run) << "\n\n";
  if (timeline) out << report::terminal_timeline(sim_trace({run}), context.text, terminal) << "\n" << kept(context, run, terminal.columns);
  out << numbers(context, run) << "\n" << stages(context, run) << "\n";
  std::vector<std::vector<std::string>> causes{{context("sim.idle"), "", ""}};
  double total = 0;
  for (const auto& [cause, ns] : run.idle_by_cause) total += static_cast<double>(ns);
  for (const auto& [cause, ns] : run.idle_by_cause)
    if (ns > 0) causes.push_back({context("sim.cause." + cause), duration(ns), percent(static_cast<double>(ns) / total)});
  if (causes.size() > 1) out << table(causes) << "\n";
  if (run.simulated.actions >= kSpeedFrom)
    out << "  " << report::coloured(context("sim.speed", {{"actions", std::to_string(run.simulated.actions)}, {"time", duration(static_cast<Ns>(run.seconds * 1e9))},
                                            {"rate", fmt::format("{:.1f}", static_cast<double>(run.simulated.actions) / run.seconds / 1e6)}}),
                                    report::Ink::muted, terminal)
        << "\n";
  out << std::flush;
}

void print_sims(const Context& context, const std::vector<check::SimRun>& runs, const std::vector<std::string>& names, const std::string& heading,
                std::ostream& out, int fd) {
  const std::string bubble = context("sim.columns.bubble");
  std::vector<Column> columns{{{{}, heading}}, {{{}, context("sim.makespan")}}, {{bubble, context("sim.columns.of_total")}}, {{{}, context("sim.ideal_column")}},
                              {{bubble, context("sim.columns.of_ideal")}, 3}, {{bubble, context("sim.columns.in_window")}, 1},
                              {{context("sim.columns.peak"), context("sim.columns.in_flight")}}, {{{}, context("sim.messages")}, 2}};
  double worst = 0;
  for (const auto& run : runs) worst = std::max(worst, run.simulated.bubble_ratio());
  std::vector<double> bars;
  std::vector<std::string> without;  // why there is no ideal, each reason once
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto& run = runs[i];
    const double ratio = run.simulated.bubble_ratio();
    const auto ideal = run.ideal_ratio();
    if (const auto why = run.why_no_ideal()) {
      const std::string said = context(why->id, why->params);
      if (std::find(without.begin(), without.end(), said) == without.end()) without.push_back(said);
    }
    double most = 0;
    Ns busiest = 0;
    for (std::size_t s = 0; s < run.simulated.stages.size(); ++s) {
      most = std::max(most, run.peak(s));
      busiest = std::max(busiest, run.simulated.stages[s].busy);
    }
    const double window = static_cast<double>(run.simulated.longest_window());
    const std::string cells[] = {names[i], duration(run.simulated.makespan), percent(ratio), ideal ? percent(*ideal) : "–", ratio < 1 ? percent(ratio / (1 - ratio)) : "–",
                                 window > 0 ? percent(1 - static_cast<double>(busiest) / window) : "–", plain(most), std::to_string(run.simulated.messages)};
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].cells.push_back(cells[c]);
    bars.push_back(worst > 0 ? ratio / worst : 0);
  }
  const int room = report::terminal(fd).columns;
  std::string left_out;
  while (width_of(columns) > room) {
    const auto least = std::max_element(columns.begin(), columns.end(), [](const Column& a, const Column& b) { return a.spared < b.spared; });
    if (least->spared == 0) break;
    left_out += (left_out.empty() ? "" : ", ") + least->cells[0] + (least->cells[0].empty() ? "" : " ") + least->cells[1];
    columns.erase(least);
  }
  const int longest = std::min(20, room - width_of(columns) - 2);
  std::vector<std::vector<std::string>> rows(runs.size() + 2);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (const Column& column : columns) rows[r].push_back(column.cells[r]);
    if (longest < 5) continue;
    const std::string drawn = r < 2 ? "" : bar(bars[r - 2], longest);
    rows[r].push_back(drawn + spaces(static_cast<std::size_t>(longest - std::min(longest, report::columns(drawn)))));  // bars grow to the right
  }
  out << table(rows);
  for (const std::string& why : without) out << "  – " << why << "\n";
  if (!left_out.empty()) out << "  " << context("sim.columns.left_out", {{"columns", left_out}}) << "\n";
  out << std::flush;
}

}  // namespace p2plab::cli
