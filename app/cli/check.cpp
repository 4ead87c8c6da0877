// p2plab check LAB [FILE|DIR]: the lab checker without a window.
#include <unistd.h>

#include <charconv>
#include <iostream>

#include "app/cli/lab_choice.h"
#include "app/cli/output.h"
#include "app/cli/page.h"
#include "app/cli/parse.h"
#include "app/cli/show_check.h"
#include "app/cli/show_run.h"
#include "app/cli/step.h"
#include "app/launch/interrupt.h"
#include "app/report/lab_files.h"
#include "app/trace/atomic_file.h"

namespace p2plab::cli {

namespace {

struct CheckOptions {
  std::string work, json, junit, gradescope, disclosure = "full", seed = "1";
  int repeat = 1, jobs = 2;
  bool step = false;
};

check::Disclosure disclosure_of(const std::string& word) {
  if (word == "full") return check::Disclosure::full;
  if (word == "actual-only") return check::Disclosure::actual_only;
  if (word == "none") return check::Disclosure::none;
  throw Error("lab.bad_disclosure");
}

check::LabRequest lab_request(const CheckOptions& options) {
  check::LabRequest request;
  if (options.jobs < 1 || options.jobs > 16) throw Error("lab.bad_jobs");
  if (options.repeat < 1 || options.repeat > 100) throw Error("lab.bad_repeat");
  request.jobs = options.jobs;
  request.repeat = options.repeat;
  const auto [rest, error] = std::from_chars(options.seed.data(), options.seed.data() + options.seed.size(), request.seed);
  if (error != std::errc{} || rest != options.seed.data() + options.seed.size()) throw Error("run.bad_seed", {{"value", options.seed}});
  return request;
}

void write_check(const Context& context, const CheckOptions& options, const check::LabManifest& lab, const check::LabRequest& request, const check::LabResult& result) {
  const check::Disclosure disclosure = disclosure_of(options.disclosure);
  do_each({[&] { if (!options.junit.empty()) trace::write_file(options.junit, report::lab_junit(lab, request, result, disclosure, context.text)); },
           [&] { if (!options.gradescope.empty()) write_json(options.gradescope, report::lab_gradescope(lab, request, result, disclosure, context.text)); },
           [&] { write_json(options.json, check::to_json(lab, request, result, disclosure, &context.text)); }});
}

/// A check that ends by an error is a result, too.
check::LabResult check_or_tell(const Context& context, const CheckOptions& options, const check::LabManifest& lab, const check::LabRequest& request, LiveTimeline& live, const launch::Interrupt& interrupt) {
  try {
    return check::check_lab(context.installation, lab, request, [&](const trace::Trace& trace, const check::LabCase&) {
      live.update(trace);
      return !interrupt.asked();
    });
  } catch (const Error& error) {
    live.clear();
    write_check(context, options, lab, request, check::without_verdict(lab, error.text()));
    throw;
  }
}

int run_check(const Context& context, const LabChoice& choice, const CheckOptions& options) {
  const check::LabManifest lab = choice.one(context);
  const check::LabDiary diary;
  check::LabRequest request = lab_request(options);
  const check::Disclosure disclosure = disclosure_of(options.disclosure);
  request.work = options.work.empty() ? default_work(lab, diary.state(lab.id)) : std::filesystem::path(options.work);
  const bool own = options.work.empty() || diary.owns(lab.id, request.work);
  for (const auto& [option, file] : {std::pair("--json", options.json), {"--junit", options.junit}, {"--gradescope", options.gradescope}})
    if (options.step && !file.empty()) throw Error("lab.step_judges_nothing", {{"option", option}});
  begin_results({options.json, options.junit, options.gradescope});
  if (options.step) return step_lab(context, lab, request);
  const int fd = options.json == "-" ? STDERR_FILENO : STDOUT_FILENO;
  const launch::Interrupt interrupt;
  LiveTimeline live(context, fd);
  const check::LabResult result = check_or_tell(context, options, lab, request, live, interrupt);
  live.clear();
  if (result.missing) {  // a mistake of the command line; who grades by result files finds it there
    write_check(context, options, lab, request, result);
    throw Error(result.first_failure()->what.id, result.first_failure()->what.params);
  }
  std::ostream& out = people(options.json);
  print_check(context, lab, request, result, disclosure, out, fd);
  if (own) {
    note(context, [&](check::LabDiary& mine) { mine.checked(lab.id, result, request.seed); });
  } else if (result.verdict == analysis::Verdict::pass) {
    const report::Terminal terminal = report::terminal(fd);
    Page(terminal, out).say(context("lab.not_recorded", {{"lab", lab.id}, {"path", request.work.string()}}), 2);
  }
  write_check(context, options, lab, request, result);
  if (interrupt.asked()) return 130;
  if (result.verdict == analysis::Verdict::pass) return 0;
  return result.verdict == analysis::Verdict::infra_error ? 3 : 1;
}

}  // namespace

void add_check(CLI::App& app, Context& context) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", context("help.check"));
  auto choice = add_lab_choice(*command, context);
  command->add_option("WORK", options->work, context("help.check_work"))->type_name("FILE|DIR");
  command->add_option("--json", options->json, context("help.json"))->type_name("FILE|-")->check(file_name(context));
  command->add_option("--junit", options->junit, context("help.check_junit"))->type_name("FILE")->check(file_name(context));
  command->add_option("--gradescope", options->gradescope, context("help.check_gradescope"))->type_name("FILE")->check(file_name(context));
  command->add_option("--disclosure", options->disclosure, context("help.check_disclosure"))->type_name("WORD");
  command->add_option("--repeat", options->repeat, context("help.check_repeat"))->type_name("N");
  command->add_option("--seed", options->seed, context("help.seed"))->type_name("N");
  command->add_option("--jobs", options->jobs, context("help.check_jobs"))->type_name("N");
  command->add_flag("--step", options->step, context("help.check_step"));
  command->footer(context("help.check_examples"));
  command->callback([&context, choice, options] { context.action = [&context, choice, options] {
    context.text.use_place("check");
    return run_check(context, *choice, *options);
  }; });
}

}  // namespace p2plab::cli
