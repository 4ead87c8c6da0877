// p2plab sim SCHEDULE: a schedule on the virtual clock, exactly; several in one table; a curve over one of its numbers.
#include <unistd.h>

#include <charconv>
#include <iostream>
#include <memory>

#include "app/check/links.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"
#include "app/cli/show_sim.h"
#include "app/cli/sim_fit.h"
#include "app/cli/stage_times.h"
#include "app/cli/units.h"
#include "app/report/png_timeline.h"
#include "app/report/svg_timeline.h"
#include "app/schedule/csv.h"
#include "app/trace/atomic_file.h"
#include "app/trace/chrome_json.h"
#include "app/trace/perfetto.h"

namespace p2plab::cli {

namespace {

using check::SimRequest;
using check::SimRun;
using nlohmann::ordered_json;

constexpr std::int64_t kMostDrawn = 4000;     ///< actions of a timeline in the terminal
constexpr std::size_t kMostSwept = 500;       ///< runs of a sweep

struct Options {
  std::string schedule;
  std::optional<int> stages, microbatches, chunks, memory_limit;
  int iterations = 1;
  std::string forward = "1ms", backward = "2ms", weight, latency = "0", hop = "0", optimizer = "0", bandwidth, activation, eager_limit, link, stage_times;
  std::optional<double> weight_memory;
  bool no_contention = false, sync = false, summary = false;
  std::vector<std::string> compare;
  std::string sweep, fit;
  std::string svg, png, trace, csv, json;
};

schedule::LinkCost link_of(const Context& context, const Options& options) {
  schedule::LinkCost cost;
  if (!options.link.empty() && options.link != "raw") {
    const auto links = check::load_links(context.installation.assets() / "links.toml");
    check::link_argument(links, options.link);  // refuses an unknown name
    for (const check::Link& link : links)
      if (link.id == options.link) {
        cost.latency_ns = link.alpha_ns;
        cost.bytes_per_s = link.bytes_per_s;
      }
  }
  if (options.latency != "0" || options.link.empty()) cost.latency_ns = parse_duration("--latency", options.latency);
  cost.hop_ns = parse_duration("--hop", options.hop);
  if (!options.bandwidth.empty()) cost.bytes_per_s = parse_bandwidth("--bandwidth", options.bandwidth);
  if (!options.activation.empty()) cost.bytes = parse_bytes("--activation", options.activation);
  if (!options.eager_limit.empty()) cost.eager_limit = parse_bytes("--eager-limit", options.eager_limit);
  cost.ports = !options.no_contention;
  return cost;
}

SimRequest request_of(const Context& context, const Options& options) {
  SimRequest request;
  request.schedule = options.schedule;
  request.stages = options.stages;
  request.microbatches = options.microbatches;
  request.chunks = options.chunks;
  request.memory_limit = options.memory_limit;
  request.weight_memory = options.weight_memory;
  request.iterations = options.iterations;
  request.forward_ns = parse_duration("--forward", options.forward);
  request.backward_ns = parse_duration("--backward", options.backward);
  if (!options.weight.empty()) request.weight_ns = parse_duration("--weight", options.weight);
  request.optimizer_ns = parse_duration("--optimizer", options.optimizer);
  request.optimizer_sync = options.sync;
  request.link = link_of(context, options);
  if (!options.stage_times.empty()) {
    request.times = read_stage_times(options.stage_times);
    if (!request.stages && request.times.size() <= schedule::kMaxStages) request.stages = static_cast<int>(request.times.size());
  }
  return request;
}

bool draws(const Options& options) { return !options.svg.empty() || !options.png.empty() || !options.trace.empty(); }

/// Few enough actions for a terminal: then they are kept whether files are wanted or not.
bool fits_terminal(const SimRequest& request) {
  const std::int64_t p = request.stages.value_or(4), m = request.microbatches.value_or(8), v = request.chunks.value_or(2);
  return p <= 64 && m < (1 << 20) && p * m * v * 3 * request.iterations <= kMostDrawn * 2;
}

report::PictureText around(const Context& context, const std::vector<SimRun>& runs) {
  report::PictureText out;
  for (const SimRun& run : runs) out.title += (out.title.empty() ? "" : " · ") + run.name;
  out.conditions = sim_conditions(context, runs.front());
  return out;
}

void write_files(const Context& context, const Options& options, const std::vector<SimRun>& runs) {
  if (draws(options)) {
    const trace::Trace trace = sim_trace(runs);
    if (!options.trace.empty()) {
      std::filesystem::path(options.trace).extension() == ".json" ? trace::save_chrome_json(trace, options.trace) : trace::save_perfetto(trace, options.trace);
    }
    if (!options.svg.empty()) report::write_svg_timeline(options.svg, trace, context.text, around(context, runs));
    if (!options.png.empty()) report::write_png_timeline(options.png, trace, context.text, around(context, runs));
  }
  if (!options.csv.empty()) trace::write_file(options.csv, schedule::write_csv(check::schedule_of(runs.front())));
  for (const std::string& file : {options.trace, options.svg, options.png, options.csv})
    if (!file.empty()) people(options.json) << context("run.wrote", {{"file", file}}) << "\n";
}

ordered_json json_of(const std::vector<SimRun>& runs) {
  ordered_json out{{"schema", "p2plab.sim/1"}, {"runs", ordered_json::array()}};
  for (const SimRun& run : runs) {
    ordered_json one = check::to_json(run);
    one.erase("schema");
    out["runs"].push_back(std::move(one));
  }
  return out;
}

int run_one(const Context& context, const Options& options, SimRequest request, const ordered_json& fitted = nullptr) {
  const bool timeline = !options.summary && fits_terminal(request);
  request.keep = draws(options) || timeline;
  const SimRun run = check::simulate(request);
  const int fd = options.json == "-" ? STDERR_FILENO : STDOUT_FILENO;
  print_sim(context, run, timeline && run.simulated.actions <= kMostDrawn, people(options.json), fd);
  write_files(context, options, {run});
  ordered_json json = check::to_json(run);
  if (!fitted.is_null()) json["fit"] = fitted;
  write_json(options.json, json);
  return 0;
}

int compare(const Context& context, const Options& options, const SimRequest& request) {
  std::vector<std::string> names = options.compare;
  if (!options.schedule.empty()) names.insert(names.begin(), options.schedule);
  std::vector<SimRun> runs;
  for (const std::string& name : names) {
    SimRequest one = request;
    one.schedule = name;
    one.keep = draws(options);
    // v is for those that have chunks; a limit for those that plan with one.
    if (const schedule::Generator* generator = schedule::find_generator(name)) {
      if (one.chunks && generator->max_chunks < *one.chunks) one.chunks.reset();
      if (!generator->takes_limit) one.memory_limit.reset();
    }
    runs.push_back(check::simulate(one));
  }
  print_sims(context, runs, names, context("sim.schedule"), people(options.json));
  write_files(context, options, runs);
  write_json(options.json, json_of(runs));
  return 0;
}

struct Sweep {
  std::string what;
  std::vector<int> values;
};

/// "m=4..64", "m=4..64:4", "p=2,4,8".
Sweep sweep_of(const std::string& text) {
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
  return out;
}

int sweep(const Context& context, const Options& options, const SimRequest& request) {
  if (draws(options) || !options.csv.empty()) throw Error("sim.sweep_no_picture");
  const Sweep over = sweep_of(options.sweep);
  std::vector<SimRun> runs;
  std::vector<std::string> names;
  std::optional<Error> refused;
  int left_out = 0;
  for (const int value : over.values) {
    SimRequest one = request;
    (over.what == "m" ? one.microbatches : over.what == "p" ? one.stages : one.chunks) = value;
    try {
      runs.push_back(check::simulate(one));
      names.push_back(std::to_string(value));
    } catch (const Error& error) {  // this value is none for the schedule; others may be
      if (error.text().id != "schedule.not_a_multiple") throw;
      if (!refused) refused = error;
      ++left_out;
    }
  }
  if (runs.empty()) throw *refused;
  std::ostream& out = people(options.json);
  out << runs.front().name << "  ";
  print_sims(context, runs, names, over.what, out);
  if (refused) out << "\n  " << context("sim.left_out", {{"n", std::to_string(left_out)}, {"why", context.text(*refused)}}) << "\n";
  write_json(options.json, json_of(runs));
  return 0;
}

/// What a measured step says of the machine; with SCHEDULE, that schedule on the same machine.
int fit(const Context& context, const Options& options, SimRequest request) {
  const analysis::Fit fitted = analysis::fit(trace::open_perfetto(options.fit));
  const ordered_json found = show_fit(context, fitted, options.fit, people(options.json));
  if (options.schedule.empty()) {
    if (draws(options) || !options.csv.empty()) throw Error("sim.fit_no_picture");
    write_json(options.json, {{"schema", "p2plab.sim/1"}, {"fit", found}});
    return 0;
  }
  request.times = fitted.measured.stages;
  request.link.latency_ns = fitted.link.latency_ns;
  request.link.bytes_per_s = fitted.link.bytes_per_s;
  request.link.bytes = fitted.link.bytes;
  if (!request.stages) request.stages = static_cast<int>(fitted.measured.stages.size());
  if (!request.microbatches) request.microbatches = fitted.measured.schedule.microbatches;
  return run_one(context, options, request, found);
}

int act(const Context& context, const Options& options) {
  if (options.schedule.empty() && options.compare.empty() && options.fit.empty()) throw Error("sim.no_schedule");
  for (const std::string& file : {options.svg, options.png, options.trace, options.csv, options.json}) require_writable(file);
  const SimRequest request = request_of(context, options);
  if (!options.fit.empty()) return fit(context, options, request);
  if (!options.compare.empty()) return compare(context, options, request);
  if (!options.sweep.empty()) return sweep(context, options, request);
  return run_one(context, options, request);
}

}  // namespace

void add_sim(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("sim", context("help.sim"));
  command->add_option("SCHEDULE", options->schedule, context("help.sim_schedule"));
  command->add_option("-p,--stages", options->stages, context("help.sim_stages"))->type_name("N");
  command->add_option("-m,--microbatches", options->microbatches, context("help.sim_microbatches"))->type_name("N");
  command->add_option("--chunks", options->chunks, context("help.sim_chunks"))->type_name("N");
  command->add_option("--forward", options->forward, context("help.sim_forward"))->type_name("D");
  command->add_option("--backward", options->backward, context("help.sim_backward"))->type_name("D");
  command->add_option("--weight", options->weight, context("help.sim_weight"))->type_name("D");
  command->add_option("--stage-times", options->stage_times, context("help.sim_stage_times"))->type_name("FILE")->check(file_name(context));
  command->add_option("--latency", options->latency, context("help.sim_latency"))->type_name("D");
  command->add_option("--hop", options->hop, context("help.sim_hop"))->type_name("D");
  command->add_option("--bandwidth", options->bandwidth, context("help.sim_bandwidth"))->type_name("B/s");
  command->add_option("--activation", options->activation, context("help.sim_activation"))->type_name("BYTES");
  command->add_option("--link", options->link, context("help.sim_link"))->type_name("raw|PRESET");
  command->add_option("--eager-limit", options->eager_limit, context("help.sim_eager_limit"))->type_name("BYTES");
  command->add_flag("--no-contention", options->no_contention, context("help.sim_no_contention"));
  command->add_option("--iterations", options->iterations, context("help.sim_iterations"))->type_name("K");
  command->add_option("--optimizer", options->optimizer, context("help.sim_optimizer"))->type_name("D");
  command->add_flag("--sync", options->sync, context("help.sim_sync"));
  command->add_option("--memory-limit", options->memory_limit, context("help.sim_memory_limit"))->type_name("N");
  command->add_option("--weight-memory", options->weight_memory, context("help.sim_weight_memory"))->type_name("SHARE");
  command->add_option("--compare", options->compare, context("help.sim_compare"))->type_name("SCHEDULE")->expected(1, 30);
  command->add_option("--sweep", options->sweep, context("help.sim_sweep"))->type_name("m=A..B");
  command->add_option("--fit", options->fit, context("help.sim_fit"))->type_name("TRACE")->check(file_name(context));
  command->add_flag("--summary", options->summary, context("help.sim_summary"));
  command->add_option("--svg", options->svg, context("help.svg"))->type_name("FILE")->check(file_name(context));
  command->add_option("--png", options->png, context("help.png"))->type_name("FILE")->check(file_name(context));
  command->add_option("--trace", options->trace, context("help.trace"))->type_name("FILE")->check(file_name(context));
  command->add_option("--csv", options->csv, context("help.sim_csv"))->type_name("FILE")->check(file_name(context));
  command->add_option("--json", options->json, context("help.json"))->type_name("FILE|-")->check(file_name(context));
  command->footer(context("help.sim_examples"));
  command->callback([&context, options] { context.action = [&context, options] { return act(context, *options); }; });
}

}  // namespace p2plab::cli
