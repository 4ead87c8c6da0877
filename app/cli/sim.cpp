// p2plab sim SCHEDULE: a schedule on the virtual clock, exactly; several in one table; a curve over one of its numbers.
#include <unistd.h>

#include <iostream>
#include <memory>

#include "app/check/links.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"
#include "app/cli/show_sim.h"
#include "app/cli/sim_fit.h"
#include "app/cli/sim_progress.h"
#include "app/cli/sim_sweep.h"
#include "app/cli/stage_times.h"
#include "app/cli/units.h"
#include "app/report/chart_picture.h"
#include "app/report/png_picture.h"
#include "app/report/png_timeline.h"
#include "app/report/svg_picture.h"
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

struct SimOptions {
  std::string schedule;
  std::optional<int> stages, microbatches, chunks, memory_limit;
  int iterations = 1;
  std::string forward = "1ms", backward = "2ms", weight, latency = "0", hop = "0", optimizer = "0", bandwidth, activation, eager_limit, link, stage_times;
  std::optional<double> weight_memory;
  bool no_contention = false, sync = false, summary = false, in_flight = false;
  std::vector<std::string> compare;
  std::string sweep, fit;
  std::string svg, png, trace, csv, json;
  std::vector<std::string> given;  ///< options that --fit and --stage-times would replace
};

/// What is wrong with a file is said with its name, and its line where one stage is at fault.
template <class Act>
auto naming_the_file(const Context& context, const std::string& file, const Act& act) {
  try {
    return act();
  } catch (const Error& error) {
    const TextRef& text = error.text();
    const bool fault = text.id.starts_with("schedule.fault.");
    if (file.find('.') == std::string::npos || (!fault && !text.id.starts_with("schedule.csv."))) throw;
    std::string line;
    for (const auto& [name, value] : text.params) {
      if (name == "file") throw;
      if (name == "stage") line = std::to_string(std::stoi(value) + 1);
    }
    if (fault && !line.empty()) throw Error("sim.in_file_line", {{"file", file}, {"line", line}, {"what", context.text(error)}});
    throw Error("sim.in_file", {{"file", file}, {"what", context.text(error)}});
  }
}

schedule::LinkCost link_of(const Context& context, const SimOptions& options) {
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

SimRequest request_of(const Context& context, const SimOptions& options) {
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

/// An option without effect is said, not passed over.
void say_no_effect(const Context& context, const SimOptions& options, const SimRequest& request) {
  if (request.link.bytes > 0) return;
  for (const auto& [option, value] : {std::pair{"--bandwidth", &options.bandwidth}, std::pair{"--eager-limit", &options.eager_limit}})
    if (!value->empty()) people(options.json) << "  " << context("sim.no_effect", {{"option", option}}) << "\n";
}

bool draws(const SimOptions& options) { return !options.svg.empty() || !options.png.empty() || !options.trace.empty(); }

/// Few enough actions for a terminal: then they are kept whether files are wanted or not.
bool fits_terminal(const SimRequest& request) {
  const std::int64_t p = request.stages.value_or(4), m = request.microbatches.value_or(8), v = request.chunks.value_or(2);
  return p <= 64 && m < (1 << 20) && p * m * v * 3 * request.iterations <= kMostDrawn * 2;
}

/// The run whose times are true of all: where one schedule splits the backward, B and W apart are, added or not.
const SimRun& told_by(const std::vector<SimRun>& runs) {
  const auto split = std::find_if(runs.begin(), runs.end(), [](const SimRun& run) { return run.splits(); });
  return split == runs.end() ? runs.front() : *split;
}

report::PictureText around(const Context& context, const std::vector<SimRun>& runs) {
  report::PictureText out;
  for (const SimRun& run : runs) out.title += (out.title.empty() ? "" : " · ") + run.name;
  out.conditions = sim_conditions(context, told_by(runs));
  return out;
}

void write_files(const Context& context, const SimOptions& options, const std::vector<SimRun>& runs) {
  const trace::Trace trace = draws(options) ? sim_trace(runs) : trace::Trace{};
  std::ostream& out = people(options.json);
  do_each({file_part(context, out, options.trace, [&] {
             const auto kept = runs.size() == 1 ? analysis::in_flight_counters(trace) : std::vector<trace::Counter>();
             std::filesystem::path(options.trace).extension() == ".json" ? trace::save_chrome_json(trace, options.trace, kept)
                                                                         : trace::save_perfetto(trace, options.trace, kept);
           }),
           file_part(context, out, options.svg, [&] { report::write_svg_timeline(options.svg, trace, context.text, around(context, runs)); }),
           file_part(context, out, options.png, [&] { report::write_png_timeline(options.png, trace, context.text, around(context, runs)); }),
           file_part(context, out, options.csv, [&] { trace::write_file(options.csv, schedule::write_csv(check::schedule_of(runs.front()))); })});
}

ordered_json json_of(const std::vector<SimRun>& runs, const ordered_json& fitted) {
  ordered_json out{{"schema", "p2plab.sim/1"}, {"runs", ordered_json::array()}};
  if (!fitted.is_null()) out["fit"] = fitted;
  for (const SimRun& run : runs) {
    ordered_json one = check::to_json(run);
    one.erase("schema");
    out["runs"].push_back(std::move(one));
  }
  return out;
}

/// What is to be run, each as the schedule can: v is for those that have chunks, a limit for those that plan with one.
std::vector<SimRequest> requests_of(const SimOptions& options, const SimRequest& request) {
  std::vector<std::string> names = options.compare;
  if (!options.schedule.empty()) names.insert(names.begin(), options.schedule);
  std::vector<SimRequest> out;
  for (const std::string& name : names) {
    SimRequest& one = out.emplace_back(request);
    one.schedule = name;
    if (names.size() == 1) break;
    if (const schedule::Generator* generator = schedule::find_generator(name)) {
      if (one.chunks && generator->max_chunks < *one.chunks) one.chunks.reset();
      if (!generator->takes_limit) one.memory_limit.reset();
    }
  }
  return out;
}

SimRun simulated(const Context& context, const SimRequest& request) {
  return naming_the_file(context, request.schedule, [&] { return check::simulate(request); });
}

int run_one(const Context& context, const SimOptions& options, SimRequest request, const ordered_json& fitted) {
  const bool timeline = !options.summary && fits_terminal(request);
  request.keep = draws(options) || timeline || options.in_flight;
  request.curves = options.in_flight;
  const SimRun run = simulated(context, request);
  const int fd = options.json == "-" ? STDERR_FILENO : STDOUT_FILENO;
  print_sim(context, run, timeline && run.simulated.actions <= kMostDrawn, people(options.json), fd);
  say_no_effect(context, options, request);
  ordered_json json = check::to_json(run);
  if (!fitted.is_null()) json["fit"] = fitted;
  do_each({[&] { write_files(context, options, {run}); }, [&] { write_json(options.json, json); }});
  return 0;
}

int compare(const Context& context, const SimOptions& options, const SimRequest& request, const ordered_json& fitted) {
  std::vector<SimRun> runs;
  std::vector<std::string> names;
  for (SimRequest& one : requests_of(options, request)) {
    one.keep = draws(options) || options.in_flight;
    one.curves = options.in_flight;
    runs.push_back(simulated(context, one));
    names.push_back(one.schedule);
  }
  people(options.json) << sim_conditions(context, told_by(runs)) << "\n\n";
  print_sims(context, runs, names, context("sim.schedule"), people(options.json), options.json == "-" ? STDERR_FILENO : STDOUT_FILENO);
  say_no_effect(context, options, request);
  do_each({[&] { write_files(context, options, runs); }, [&] { write_json(options.json, json_of(runs, fitted)); }});
  return 0;
}

int sweep(const Context& context, const SimOptions& options, const SimRequest& request, const ordered_json& fitted) {
  const Sweep over = parse_sweep(options.sweep);
  const std::vector<SimRequest> requests = requests_of(options, request);
  const SweepResult result = naming_the_file(context, requests.front().schedule, [&] { return run_sweep(context, over, requests); });
  print_sweep(context, result, people(options.json), options.json == "-" ? STDERR_FILENO : STDOUT_FILENO);
  say_no_effect(context, options, request);
  report::PictureText around;
  for (const Swept& one : result.schedules) around.title += (around.title.empty() ? "" : " · ") + one.schedule;
  around.conditions = sweep_conditions(context, result);
  const auto picture = [&] { return report::ChartPicture(sweep_charts(context, result), context.text, around, 1200, report::ChartPicture::Order::side_by_side); };
  std::ostream& out = people(options.json);
  std::vector<SimRun> runs;
  for (const Swept& one : result.schedules) runs.insert(runs.end(), one.runs.begin(), one.runs.end());
  ordered_json json = json_of(runs, fitted);
  json["sweep"] = sweep_json(result);
  do_each({file_part(context, out, options.svg, [&] { trace::write_file(options.svg, report::svg_picture(picture(), context.text.language())); }),
           file_part(context, out, options.png, [&] { report::write_png_picture(options.png, picture()); }), [&] { write_json(options.json, json); }});
  return 0;
}

/// Of options that exclude each other one is to be left out; every other combination has a meaning.
void require_one_meaning(const SimOptions& options) {
  const auto both = [](const std::string& a, const std::string& b) { throw Error("sim.one_of", {{"a", a}, {"b", b}}); };
  const bool runs_something = !options.schedule.empty() || !options.compare.empty();
  if (!runs_something && options.fit.empty()) throw Error("sim.no_schedule");
  if (!runs_something && !options.sweep.empty()) throw Error("sim.no_schedule");
  if (!runs_something && (draws(options) || !options.csv.empty())) throw Error("sim.fit_no_picture");
  if (!options.fit.empty() && !options.stage_times.empty()) both("--fit", "--stage-times");
  const std::string source = !options.fit.empty() ? "--fit" : !options.stage_times.empty() ? "--stage-times" : "";
  for (const std::string& option : options.given) {
    const bool of_the_link = option == "--latency" || option == "--bandwidth" || option == "--activation" || option == "--link";
    if (!source.empty() && (!of_the_link || source == "--fit")) throw Error("sim.from_elsewhere", {{"option", option}, {"source", source}});
  }
  if (!options.sweep.empty() && !options.trace.empty()) both("--sweep", "--trace");
  if (!options.sweep.empty() && !options.csv.empty()) both("--sweep", "--csv");
  if (!options.sweep.empty() && options.in_flight) both("--sweep", "--in-flight");
  if (!options.compare.empty() && !options.csv.empty()) both("--compare", "--csv");
  if (options.summary && options.in_flight) both("--summary", "--in-flight");
  if (options.summary && options.sweep.empty())
    for (const auto& [option, file] : {std::pair{"--svg", &options.svg}, std::pair{"--png", &options.png}, std::pair{"--trace", &options.trace}})
      if (!file->empty()) both("--summary", option);
}

int act(const Context& context, const SimOptions& options) {
  require_one_meaning(options);
  SimRequest request = request_of(context, options);
  std::vector<std::string> inputs = options.compare;
  inputs.insert(inputs.end(), {options.schedule, options.fit, options.stage_times});
  begin_results({options.svg, options.png, options.trace, options.csv, options.json}, inputs);
  SimProgress progress(context);
  request.watch = [&progress](std::int64_t done, std::int64_t all) { progress(done, all); };
  ordered_json fitted;
  if (!options.fit.empty()) {  // what a measured step says of the machine, and what follows from it for other schedules
    const analysis::Fit found = analysis::fit(trace::open_perfetto(options.fit));
    fitted = show_fit(context, found, options.fit, people(options.json));
    request.times = found.measured.stages;
    request.link.latency_ns = found.link.latency_ns;
    request.link.bytes_per_s = found.link.bytes_per_s;
    request.link.bytes = found.link.bytes;
    if (!request.stages) request.stages = static_cast<int>(found.measured.stages.size());
    if (!request.microbatches) request.microbatches = found.measured.schedule.microbatches;
  }
  try {
    if (options.schedule.empty() && options.compare.empty()) write_json(options.json, {{"schema", "p2plab.sim/1"}, {"fit", fitted}});
    else if (!options.sweep.empty()) return sweep(context, options, request, fitted);
    else if (!options.compare.empty()) return compare(context, options, request, fitted);
    else return run_one(context, options, request, fitted);
  } catch (const SimStopped&) {
    return 130;
  }
  return 0;
}

}  // namespace

void add_sim(CLI::App& app, Context& context) {
  auto options = std::make_shared<SimOptions>();
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
  command->add_flag("--in-flight", options->in_flight, context("help.sim_in_flight"));
  command->add_option("--svg", options->svg, context("help.svg"))->type_name("FILE")->check(file_name(context));
  command->add_option("--png", options->png, context("help.png"))->type_name("FILE")->check(file_name(context));
  command->add_option("--trace", options->trace, context("help.trace"))->type_name("FILE")->check(file_name(context));
  command->add_option("--csv", options->csv, context("help.sim_csv"))->type_name("FILE")->check(file_name(context));
  command->add_option("--json", options->json, context("help.json"))->type_name("FILE|-")->check(file_name(context));
  command->footer(context("help.sim_examples"));
  command->callback([&context, options, command] {
    for (const char* option : {"--forward", "--backward", "--weight", "--latency", "--bandwidth", "--activation", "--link"})
      if (command->count(option) > 0) options->given.emplace_back(option);
    context.action = [&context, options] { return act(context, *options); };
  });
}

}  // namespace p2plab::cli
