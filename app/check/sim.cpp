// See sim.h.
#include "app/check/sim.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "app/check/metrics.h"
#include "app/schedule/csv.h"
#include "app/schedule/faults.h"
#include "app/trace/error.h"

namespace p2plab::check {

namespace {

using namespace schedule;
using nlohmann::ordered_json;

constexpr std::uintmax_t kMostCsvBytes = 1ULL << 30;
constexpr std::int64_t kMostActionsKept = 4'000'000;  ///< actions of a timeline: some 2 GiB with their messages

bool is_file(const std::string& name) { return name.ends_with(".csv") || name.find('/') != std::string::npos; }

Schedule read_schedule(const std::string& file) {
  std::error_code failure;
  const auto size = std::filesystem::file_size(file, failure);
  std::ifstream in(file, std::ios::binary);
  if (failure || !in) throw Error("sim.cannot_read", {{"file", file}});
  if (size > kMostCsvBytes) throw Error("schedule.csv.too_large");
  std::ostringstream text;
  text << in.rdbuf();
  return read_csv(text.str(), std::filesystem::path(file).filename().string());
}

void require_equal(const char* option, const std::optional<int>& given, int has, const std::string& file) {
  if (given && *given != has) throw Error("sim.file_differs", {{"option", option}, {"value", std::to_string(*given)}, {"has", std::to_string(has)}, {"file", file}});
}

Ns half(Ns whole) { return whole - whole / 2; }

Costs costs_of(const SimRequest& request, const Shape& shape, bool splits, double weight_memory) {
  Costs costs;
  costs.link = request.link;
  costs.optimizer_ns = request.optimizer_ns;
  costs.optimizer_sync = request.optimizer_sync;
  costs.weight_memory = weight_memory;
  if (request.weight_ns) costs.times = {{request.forward_ns, request.backward_ns, *request.weight_ns}};
  else if (splits) costs.times = {{request.forward_ns, half(request.backward_ns), request.backward_ns / 2}};
  else costs.times = {{request.forward_ns, request.backward_ns, 0}};
  if (request.times.empty()) return costs;
  const auto p = static_cast<std::size_t>(shape.stages), pm = p * static_cast<std::size_t>(shape.microbatches);
  if (request.times.size() != p && request.times.size() != pm)
    throw Error("sim.times_differ", {{"times", std::to_string(request.times.size())}, {"p", std::to_string(shape.stages)}, {"m", std::to_string(shape.microbatches)}});
  costs.times = request.times;
  if (splits)
    for (StageTime& t : costs.times)
      if (t.weight == 0) t = {t.forward, half(t.input), t.input / 2};
  return costs;
}

/// The lower median of each time over all stages and microbatches.
StageTime median(std::vector<StageTime> times) {
  const auto middle = [&](Ns StageTime::*what) {
    const auto at = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
    std::nth_element(times.begin(), at, times.end(), [&](const StageTime& a, const StageTime& b) { return a.*what < b.*what; });
    return (*at).*what;
  };
  return {middle(&StageTime::forward), middle(&StageTime::input), middle(&StageTime::weight)};
}

Ns total(const Simulated& simulated, Idle cause) {
  Ns sum = 0;
  for (const StageTotals& stage : simulated.stages) sum = add(sum, stage.idle[static_cast<std::size_t>(cause)]);
  return sum;
}

std::int64_t actions_of(const Program& program, int iterations) {
  double all = 0;
  for (int s = 0; s < program.stages(); ++s) all += static_cast<double>(program.count(s));
  return std::llround(std::min(all * iterations, 9e18));
}

schedule::Watch watch_of(const SimRequest& request, std::int64_t all, std::int64_t before) {
  if (!request.watch) return {};
  return [&request, all, before](std::int64_t done) { request.watch(before + done, all); };
}

/// Waiting that a pipeline of equal stages would not have had is imbalance, not the schedule.
void explain_idle(SimRun& run, const Program& program) {
  const Simulated& simulated = run.simulated;
  Ns upstream = total(simulated, Idle::upstream), imbalance = 0;
  if (!run.costs.uniform()) {
    Costs equal = run.costs;
    equal.times = {median(run.costs.times)};
    const std::int64_t once = actions_of(program, run.request.iterations);
    const Ns balanced = total(schedule::simulate(program, equal, run.request.iterations, false, watch_of(run.request, 2 * once, once)), Idle::upstream);
    imbalance = std::clamp<Ns>(upstream - balanced, 0, upstream);
    upstream -= imbalance;
  }
  run.idle_by_cause = {{"warm_up", total(simulated, Idle::warm_up)}, {"drain", total(simulated, Idle::drain)},
                       {"upstream", upstream}, {"exposed_transfer", total(simulated, Idle::transfer)},
                       {"imbalance", imbalance}, {"straggler", total(simulated, Idle::meeting)}, {"unexplained", 0}};
}

void require_limit(const SimRun& run) {
  const SimRequest& request = run.request;
  if (!request.memory_limit) return;
  for (std::size_t s = 0; s < run.simulated.stages.size(); ++s) {
    if (run.peak(s) <= *request.memory_limit) continue;
    const auto needs = [&] {
      double most = 0;
      for (std::size_t i = 0; i < run.simulated.stages.size(); ++i) most = std::max(most, run.peak(i));
      return static_cast<std::int64_t>(std::ceil(most));
    };
    throw Error("sim.over_limit", {{"schedule", run.name}, {"stage", std::to_string(s)}, {"limit", std::to_string(*request.memory_limit)},
                                   {"needs", std::to_string(needs())}});
  }
}

void require_sane(const SimRequest& request) {
  if (request.iterations < 1 || request.iterations > 100'000) throw Error("sim.bad_iterations", {{"value", std::to_string(request.iterations)}});
  if (request.memory_limit && *request.memory_limit < 1) throw Error("sim.bad_limit", {{"value", std::to_string(*request.memory_limit)}});
  if (request.weight_memory && !(*request.weight_memory >= 0 && *request.weight_memory <= 1)) throw Error("sim.bad_weight_memory");
}


}  // namespace

double SimRun::peak(std::size_t stage) const { return static_cast<double>(simulated.stages[stage].peak) / 1000.0 / layout.chunks(); }

bool SimRun::splits() const {
  if (generator != nullptr) return generator->splits;
  return std::any_of(lists->stages.begin(), lists->stages.end(),
                     [](const StageOrder& order) { return std::any_of(order.begin(), order.end(), [](const Action& a) { return a.op == Op::weight; }); });
}

std::optional<double> SimRun::ideal_ratio() const {
  if (why_no_ideal()) return std::nullopt;
  const StageTime& t = costs.times[0];
  const double f = static_cast<double>(t.forward), b = static_cast<double>(t.input), w = static_cast<double>(t.weight);
  const double bubble = schedule::ideal_bubble(*generator, shape, f, b, w).value();
  const double work = shape.microbatches * (f + b + w) + static_cast<double>(costs.optimizer_ns);
  return bubble + work > 0 ? std::optional(bubble / (bubble + work)) : std::nullopt;
}

std::optional<TextRef> SimRun::why_no_ideal() const {
  if (generator == nullptr || generator->ideal == nullptr) return TextRef{"sim.no_ideal.no_formula", {{"schedule", name}}};
  if (!costs.uniform()) return TextRef{"sim.no_ideal.own_times", {}};
  // They overlap; the formula is for one alone.
  if (request.iterations > 1 && !costs.optimizer_sync) return TextRef{"sim.no_ideal.overlap", {}};
  if (schedule::ideal_bubble(*generator, shape, 0, 0, 0)) return std::nullopt;
  return TextRef{"sim.no_ideal.few", {{"schedule", name}, {"from", std::to_string(generator->ideal_from(shape.stages))}}};
}

SimRun simulate(const SimRequest& request) {
  require_sane(request);
  SimRun run;
  run.request = request;
  double weight_memory = request.weight_memory.value_or(1);
  std::optional<Program> program;
  Problem problem;
  if (is_file(request.schedule)) {
    run.lists = read_schedule(request.schedule);
    run.shape = {run.lists->layout.stages(), run.lists->microbatches, run.lists->layout.chunks()};
    require_equal("-p", request.stages, run.shape.stages, run.lists->name);
    require_equal("-m", request.microbatches, run.shape.microbatches, run.lists->name);
    require_equal("--chunks", request.chunks, run.shape.chunks, run.lists->name);
    if (auto fault = find_fault(*run.lists, request.memory_limit.value_or(0), weight_memory)) throw Error(fault->id, fault->params);
    run.name = run.lists->name;
    run.costs = costs_of(request, run.shape, run.splits(), weight_memory);
    program.emplace(*run.lists);
  } else {
    run.generator = &generator(request.schedule);
    run.name = request.schedule;
    run.shape = {request.stages.value_or(4), request.microbatches.value_or(8), request.chunks.value_or(run.generator->chunks)};
    require_legal(*run.generator, run.shape);
    weight_memory = request.weight_memory.value_or(run.generator->weight_memory);
    run.costs = costs_of(request, run.shape, run.generator->splits, weight_memory);
    const StageTime typical = median(run.costs.times);
    problem = {run.shape, typical.forward, typical.input, typical.weight, request.link.delay_ns(0, 1), request.memory_limit.value_or(0), weight_memory};
    program.emplace(*run.generator, problem);
  }
  run.layout = program->layout();
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t all = actions_of(*program, request.iterations);
  if (request.keep && all > kMostActionsKept)
    throw Error("sim.too_many_kept", {{"actions", std::to_string(all)}, {"max", std::to_string(kMostActionsKept)}});
  run.simulated = schedule::simulate(*program, run.costs, request.iterations, request.keep, watch_of(request, run.costs.uniform() ? all : 2 * all, 0));
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  require_limit(run);
  explain_idle(run, *program);
  return run;
}

Schedule schedule_of(const SimRun& run) {
  if (run.lists) return *run.lists;
  const StageTime typical = median(run.costs.times);
  return make_schedule(*run.generator, {run.shape, typical.forward, typical.input, typical.weight, run.request.link.delay_ns(0, 1),
                                        run.request.memory_limit.value_or(0), run.costs.weight_memory});
}

std::vector<std::vector<analysis::InFlight>> in_flight(const SimRun& run) {
  if (run.simulated.ran.empty()) return {};
  std::vector<std::vector<analysis::PipelineAction>> actions(static_cast<std::size_t>(run.shape.stages));
  for (const Ran& ran : run.simulated.ran) {
    if (!is_compute(ran.action.op)) continue;
    analysis::PipelineAction action;
    action.begin = ran.begin;
    action.end = ran.end;
    action.forward = ran.action.op == Op::forward;
    action.weight = ran.action.op == Op::weight;
    action.microbatch = ran.action.microbatch;
    actions[static_cast<std::size_t>(ran.stage)].push_back(action);
  }
  std::vector<std::vector<analysis::InFlight>> out;
  for (const auto& stage : actions) out.push_back(analysis::in_flight(stage, run.layout.chunks(), run.costs.weight_memory));
  return out;
}

namespace {

/// Whole where it is whole: 4, not 4.0.
ordered_json links(const SimRun& run) {
  std::map<std::pair<int, int>, std::int64_t> messages;
  const std::int64_t each = std::int64_t{run.shape.microbatches} * run.request.iterations;
  if (run.simulated.messages > 0)
    for (int part = 0; part + 1 < run.layout.parts(); ++part) {
      const int a = run.layout.stage_of(part), b = run.layout.stage_of(part + 1);
      if (a == b) continue;
      messages[{a, b}] += each;
      messages[{b, a}] += each;
    }
  ordered_json out = ordered_json::array();
  for (const auto& [pair, n] : messages)
    out.push_back({{"from", pair.first}, {"to", pair.second}, {"messages", n}, {"bytes", static_cast<double>(n) * static_cast<double>(run.costs.link.bytes) < 9e18 ? ordered_json(n * static_cast<std::int64_t>(run.costs.link.bytes)) : ordered_json(nullptr)}});
  return out;
}

}  // namespace

ordered_json to_json(const SimRun& run) {
  const Simulated& simulated = run.simulated;
  const double ratio = simulated.bubble_ratio();
  const auto ideal = run.ideal_ratio();
  ordered_json metrics;
  metrics["makespan_ns"] = simulated.makespan;
  metrics["bubble_ratio"] = ratio;
  metrics["bubble_ideal_ratio"] = ideal ? ordered_json(*ideal) : ordered_json(nullptr);
  metrics["bubble_over_ideal"] = ratio < 1 ? ordered_json(ratio / (1 - ratio)) : ordered_json(nullptr);
  const Ns window = simulated.longest_window();
  double busiest = 0;
  for (const StageTotals& stage : simulated.stages) busiest = std::max(busiest, static_cast<double>(stage.busy));
  metrics["longest_window_ns"] = window;
  metrics["bubble_in_window_ratio"] = window > 0 ? ordered_json(1 - busiest / static_cast<double>(window)) : ordered_json(nullptr);
  if (simulated.iteration_end.size() > 1) {
    const auto& ends = simulated.iteration_end;
    metrics["period_ns"] = ends.back() - ends[ends.size() - 2];
  }
  metrics["peak_in_flight"] = ordered_json::array();
  for (std::size_t s = 0; s < simulated.stages.size(); ++s) metrics["peak_in_flight"].push_back(count_json(run.peak(s)));
  if (run.request.curves) {
    metrics["in_flight"] = ordered_json::array();
    for (const auto& stage : in_flight(run)) {
      ordered_json curve = ordered_json::array();
      for (const analysis::InFlight& one : stage) curve.push_back({{"at_ns", one.at}, {"activations", count_json(one.activations)}});
      metrics["in_flight"].push_back(std::move(curve));
    }
  }
  metrics["actions"] = simulated.actions;
  metrics["actions_per_s"] = run.seconds > 0 ? ordered_json(static_cast<double>(simulated.actions) / run.seconds) : ordered_json(nullptr);
  metrics["messages"] = simulated.messages;
  ordered_json causes;
  for (const auto& [cause, ns] : run.idle_by_cause) causes[cause] = ns;
  metrics["idle_by_cause"] = std::move(causes);
  ordered_json stages = ordered_json::array();
  static constexpr const char* kNames[] = {"warm_up", "drain", "upstream", "exposed_transfer", "straggler"};
  for (const StageTotals& stage : simulated.stages) {
    ordered_json idle;
    for (std::size_t cause = 0; cause < kIdleCauses; ++cause) idle[kNames[cause]] = stage.idle[cause];
    stages.push_back({{"begin_ns", stage.begin}, {"end_ns", stage.end}, {"busy_ns", stage.busy}, {"idle_by_cause", std::move(idle)}});
  }
  metrics["stages"] = std::move(stages);
  metrics["links"] = links(run);
  ordered_json out{{"schema", "p2plab.sim/1"}, {"schedule", run.name}, {"p", run.shape.stages}, {"m", run.shape.microbatches}, {"chunks", run.shape.chunks}};
  if (run.costs.uniform()) {
    out["forward_ns"] = run.costs.times[0].forward;
    out["input_ns"] = run.costs.times[0].input;
    out["weight_ns"] = run.costs.times[0].weight;
  }
  out["latency_ns"] = run.costs.link.latency_ns;
  out["bandwidth_bytes_per_s"] = run.costs.link.bytes_per_s > 0 ? ordered_json(run.costs.link.bytes_per_s) : ordered_json(nullptr);
  out["activation_bytes"] = run.costs.link.bytes;
  out["iterations"] = run.request.iterations;
  out["memory_limit"] = run.request.memory_limit ? ordered_json(*run.request.memory_limit) : ordered_json(nullptr);
  out["weight_memory"] = run.costs.weight_memory;
  out["metrics"] = std::move(metrics);
  return out;
}

}  // namespace p2plab::check
