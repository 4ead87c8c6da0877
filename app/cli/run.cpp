// p2plab run DEMO: real ranks, a live timeline, a verdict, and files of all of it.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <thread>

#include "app/check/exit_status.h"
#include "app/check/judge.h"
#include "app/check/unknown.h"
#include "app/cli/commands.h"
#include "app/cli/contents.h"
#include "app/cli/output.h"
#include "app/cli/parse.h"
#include "app/cli/show_knobs.h"
#include "app/cli/show_run.h"
#include "app/cli/step.h"
#include "app/launch/interrupt.h"
#include "app/report/conditions.h"
#include "app/report/png_picture.h"
#include "app/report/run_picture.h"
#include "app/report/run_summary.h"
#include "app/report/svg_picture.h"
#include "app/trace/atomic_file.h"
#include "app/trace/feed_reader.h"
#include "app/trace/perfetto.h"
#include "app/trace/save_run.h"

namespace p2plab::cli {

namespace {

using nlohmann::ordered_json;

/// The command line. Only what was given replaces what a saved run says.
struct RunOptions {
  std::string demo, again;
  std::optional<int> ranks;
  std::optional<std::string> backend, semantics, link, compute, seed;
  std::vector<std::string> set;
  bool strict = false, step = false;
  std::optional<double> timeout;
  int repeat = 1;
  std::string trace, svg, png, json;
};

std::pair<std::string, std::string> split_setting(const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == 0 || equals == std::string::npos) throw Error("run.bad_set", {{"value", setting}});
  return {setting.substr(0, equals), setting.substr(equals + 1)};
}

std::uint64_t seed_of(const std::string& word) {
  std::uint64_t seed = 0;
  const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), seed);
  if (error != std::errc{} || rest != word.data() + word.size()) throw Error("run.bad_seed", {{"value", word}});
  return seed;
}

/// A run of `verify` has no demo: it is repeated by verifying again.
[[noreturn]] void refuse_verified(const std::string& file, const std::string& program, const std::string& ranks, const std::string& seed) {
  throw Error("run.again_verify", {{"file", file}, {"program", program}, {"ranks", ranks}, {"seed", seed}});
}

check::RunRequest saved_trace(const std::string& file) {
  try {
    const trace::RunInfo run = trace::open_perfetto(file).run;
    if (run.demo.empty() && run.backend == "mpi") refuse_verified(file, run.command, std::to_string(run.ranks), std::to_string(run.seed));
    return check::request_from(run);
  } catch (const Error& error) {
    if (error.text().id == "trace.foreign") throw Error("run.not_a_run", {{"file", file}, {"what", "schema p2plab.run/1"}});
    throw;
  }
}

check::RunRequest saved_request(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("run.cannot_read", {{"file", file}});
  if ((in >> std::ws).peek() != '{') return saved_trace(file);
  const auto json = ordered_json::parse(in, nullptr, false);
  if (json.is_discarded()) throw Error("run.not_a_run", {{"file", file}, {"what", "no JSON"}});
  const auto field = [&json](const char* name) {
    if (!json.is_object() || !json.contains(name)) return std::string("?");
    return json[name].is_string() ? json[name].get<std::string>() : json[name].dump();
  };
  if (field("schema") == "p2plab.verify/1") refuse_verified(file, field("program"), field("ranks"), field("seed"));
  return check::request_from(json, file);
}

check::RunRequest request_of(const RunOptions& options) {
  check::RunRequest request = options.again.empty() ? check::RunRequest{} : saved_request(options.again);
  if (!options.again.empty() && !options.demo.empty() && options.demo != request.demo) {
    throw Error("run.again_other", {{"file", options.again}, {"demo", request.demo}, {"value", options.demo}});
  }
  if (!options.demo.empty()) request.demo = options.demo;
  if (options.ranks && *options.ranks < 1) throw Error("run.bad_ranks");  // 0 would stand for the manifest's
  if (options.ranks) request.ranks = *options.ranks;
  if (options.backend) request.backend = *options.backend;
  if (options.semantics) request.semantics = *options.semantics;
  if (options.link) request.link = *options.link;
  if (options.compute) request.compute = *options.compute;
  if (options.seed) request.seed = seed_of(*options.seed);
  if (options.timeout) request.timeout_s = *options.timeout;
  request.strict = request.strict || options.strict;
  for (const std::string& setting : options.set) {
    const auto [knob, value] = split_setting(setting);
    request.knobs[knob] = value;
  }
  return request;
}

const check::DemoManifest& find_demo(const std::vector<check::DemoManifest>& demos, const std::string& id) {
  std::vector<std::string> known;
  for (const auto& demo : demos) {
    if (demo.id == id) return demo;
    known.push_back(demo.id);
  }
  if (id.empty()) throw Error("usage.no_demo", {{"known", content::join(known)}});
  throw check::unknown("run.unknown_demo", id, known);
}

/// "variant = random / moe": what a knob asks of a run before it means anything.
std::string asked_by(const check::Knob& knob) {
  std::string out;
  for (const auto& [name, value] : knob.when) {
    const bool other = value.starts_with('!');
    out += (out.empty() ? "" : ", ") + name + (other ? " ≠ " : " = ") + content::join(check::alternatives(other ? value.substr(1) : value), " / ");
  }
  return out;
}

/// What was set although it can change nothing in this run: said, so that nobody takes it for one of its conditions.
void warn_of_idle(const Context& context, const RunOptions& options, const check::DemoManifest& demo, const check::RunRequest& request) {
  for (const std::string& setting : options.set) {
    const check::Knob* knob = demo.knob(split_setting(setting).first);
    if (knob == nullptr || report::means_something(*knob, request, demo)) continue;
    const bool part = check::hold(knob->when, request);
    std::cerr << context(part ? "run.knob_idle_part" : "run.knob_idle", {{"knob", knob->id}, {"asks", asked_by(*knob)}, {"other", knob->part_of}}) << "\n";
  }
}

/// Runs once; the trace stays inside the returned object.
std::unique_ptr<check::DemoRun> run_once(const Context& context, const RunOptions& options, const check::DemoManifest& demo, const check::RunRequest& request,
                                         const launch::Interrupt& interrupt, LiveTimeline& live) {
  auto run = std::make_unique<check::DemoRun>(context.installation, demo, options.step ? stepped_request(request) : request);
  if (options.step) step_demo(context, *run, interrupt, people(options.json));
  while (!run->finished()) {
    if (interrupt.asked()) run->cancel();
    run->poll();
    std::this_thread::sleep_for(run->rest());
    live.update(run->trace());
  }
  live.clear();
  return run;
}

/// The pictures say what they show.
report::PictureText around(const Context& context, const PastRun& run, const check::RunResult& result) {
  const report::RunSummary summary = report::summarize(run.demo, run.request, result, run.trace, context.text);
  report::PictureText out;
  out.title = context.text.language() == content::Language::zh ? run.demo.title.zh : run.demo.title.en;
  out.conditions = summary.conditions;
  out.verdict = summary.sign + " " + summary.verdict;
  out.verdict_ink = summary.tone == report::RunSummary::Tone::good  ? report::Ink::good
                    : summary.tone == report::RunSummary::Tone::bad ? report::Ink::bad
                                                                    : report::Ink::unsure;
  return out;
}

void write_files(const Context& context, const RunOptions& options, const PastRun& run, const check::RunResult& result) {
  if (!options.trace.empty()) trace::save_run(run.trace, options.trace);
  if (!options.svg.empty() || !options.png.empty()) {
    const auto links = check::load_links(context.installation.assets() / "links.toml");
    const auto picture = report::run_picture(run.demo, result, run.trace, links, context.text, around(context, run, result));
    if (!options.svg.empty()) trace::write_file(options.svg, report::svg_picture(*picture, context.text.language()));
    if (!options.png.empty()) report::write_png_picture(options.png, *picture);
  }
  for (const std::string& file : {options.trace, options.svg, options.png}) {
    if (!file.empty()) people(options.json) << context("run.wrote", {{"file", file}}) << "\n";
  }
}

ordered_json json_of(const Context& context, const RunOptions& options, const PastRun& run, const check::RunResult& result) {
  ordered_json json = check::to_json(run.request, run.demo, result, &context.text);
  if (!options.trace.empty()) json["trace"] = options.trace;
  return json;
}

/// The lab failed before there was a run to speak of: the JSON says why.
void write_failure(const Context& context, const RunOptions& options, const check::DemoManifest& demo, const check::RunRequest& request,
                   const Error& error) {
  check::RunResult result;
  result.verdict = analysis::Verdict::infra_error;
  result.why = error.text();
  write_json(options.json, check::to_json(request, demo, result, &context.text));
}

int act(const Context& context, const RunOptions& options) {
  if (options.step && options.repeat > 1) throw Error("run.step_repeat");
  if (options.repeat < 1 || options.repeat > 1000) throw Error("run.bad_repeat");
  check::RunRequest request = request_of(options);
  const auto demos = usable_demos(context, request.demo);
  const check::DemoManifest& demo = find_demo(demos, request.demo);
  request = check::complete(demo, request);
  warn_of_idle(context, options, demo, request);
  begin_results({options.trace, options.svg, options.png, options.json});

  const int fd = options.json == "-" ? STDERR_FILENO : STDOUT_FILENO;
  std::ostream& out = people(options.json);
  const launch::Interrupt interrupt;
  LiveTimeline live(context, fd);
  std::optional<PastRun> shown;  // the last that came to its end; one that was cut short only when there is no other
  std::vector<check::RunResult> results;
  try {
    for (int i = 0; i < options.repeat && (i == 0 || !interrupt.asked()); ++i) {
      const auto run = run_once(context, options, demo, request, interrupt, live);
      const bool whole = run->result().verdict != analysis::Verdict::not_run;
      if (options.repeat > 1 && whole) {
        out << context("run.repeated", {{"i", std::to_string(i + 1)}, {"n", std::to_string(options.repeat)},
                                        {"verdict", context(check::verdict_id(run->result()))}})
            << std::endl;
      }
      results.push_back(run->result());
      if (whole || !shown) shown.emplace(PastRun{demo, run->request(), run->take_trace()});
    }
  } catch (const Error& error) {
    if (error.exit_status() == 3) write_failure(context, options, demo, request, error);
    throw;
  }
  const check::RunResult result = options.repeat > 1 ? check::over_runs(results, options.repeat) : results.back();
  print_run(context, *shown, result, out, fd);
  write_files(context, options, *shown, result);
  write_json(options.json, json_of(context, options, *shown, result));
  return interrupt.asked() ? 130 : check::exit_status(result);
}

/// `p2plab run DEMO --help`: what --set may be given there.
std::string explain_knobs(const Context& context, const std::string& id) {
  const auto demos = usable_demos(context, id);
  const check::DemoManifest& demo = find_demo(demos, id);
  std::ostringstream out;
  out << "\n" << context("demos.knobs_of", {{"demo", demo.id}}) << "\n";
  print_knobs(context, demo.knobs, out, 2);
  if (std::find(demo.backends.begin(), demo.backends.end(), "sim") != demo.backends.end()) {
    out << "\n" << context("demos.knobs_of_sim") << "\n";
    print_knobs(context, check::world_knobs(), out, 2);
  }
  return out.str();
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", context("help.run"));
  const CLI::Option* demo = command->add_option("DEMO", options->demo, context("help.demo"));
  command->add_option("--ranks", options->ranks, context("help.ranks"))->type_name("N");
  command->add_option("--backend", options->backend, context("help.backend"))->type_name("sim|host|cuda|nccl");
  command->add_option("--semantics", options->semantics, context("help.semantics"))->type_name("mpi|nccl");
  command->add_option("--link", options->link, context("help.link"))->type_name("raw|PRESET");
  command->add_option("--compute", options->compute, context("help.compute"))->type_name("paced|real");
  command->add_option("--set", options->set, context("help.set"))->type_name("KNOB=VALUE")->type_size(1)->allow_extra_args(false);
  command->add_flag("--strict", options->strict, context("help.strict"));
  command->add_flag("--step", options->step, context("help.run_step"));
  command->add_option("--seed", options->seed, context("help.seed"))->type_name("N");
  command->add_option("--repeat", options->repeat, context("help.repeat"))->type_name("N");
  command->add_option("--timeout", options->timeout, context("help.timeout"))->type_name("S");
  command->add_option("--trace", options->trace, context("help.trace"))->type_name("FILE")->check(file_name(context));
  command->add_option("--svg", options->svg, context("help.svg"))->type_name("FILE")->check(file_name(context));
  command->add_option("--png", options->png, context("help.png"))->type_name("FILE")->check(file_name(context));
  command->add_option("--json", options->json, context("help.json"))->type_name("FILE|-")->check(file_name(context));
  command->add_option("--again", options->again, context("help.again"))->type_name("FILE")->check(file_name(context));
  command->footer(context("help.run_examples"));
  command->callback([&context, options] { context.action = [&context, options] { return act(context, *options); }; });
  context.below_help = [&context, demo] {
    return demo->results().empty() ? std::string() : explain_knobs(context, demo->results().front());
  };
}

}  // namespace p2plab::cli
