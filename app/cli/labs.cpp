// p2plab labs: what there is to do, and what of it is done. p2plab next: the first that is not.
#include <fmt/format.h>

#include <iostream>

#include "app/cli/lab_choice.h"
#include "app/cli/output.h"
#include "app/cli/page.h"
#include "app/cli/parse.h"
#include "app/content/nearest.h"
#include "app/report/terminal_timeline.h"
#include "app/report/utf8.h"

namespace p2plab::cli {

namespace {

using nlohmann::ordered_json;

std::string state_word(const check::LabState& state) { return state.passed ? "passed" : state.checks > 0 || !state.folder.empty() ? "started" : "new"; }

ordered_json lab_json(const check::LabManifest& lab, const check::LabState& state) {
  return {{"id", lab.id}, {"title", twin_json(lab.title)}, {"summary", twin_json(lab.summary)},
          {"world", lab.world == check::LabWorld::sim ? "sim" : "mpi"}, {"requires", lab.requires_labs}, {"state", state_word(state)}, {"best", state.best},
          {"checks", state.checks}, {"hints", state.hints}, {"folder", state.folder.empty() ? ordered_json(nullptr) : ordered_json(state.folder.string())}};
}

void print_lab(const Context& context, const check::LabManifest& lab, const check::LabState& state, const report::Terminal& terminal) {
  const Page page(terminal, std::cout);
  const report::Ink ink = state.passed ? report::Ink::good : report::Ink::muted;
  const std::string title = lab.title.in(context.text.language());
  std::string how = context("lab.state_" + state_word(state));
  if (!state.passed && state.best > 0) how += "  " + context("lab.state_best", {{"score", fmt::format("{:.2g}", state.best)}});
  const bool beside = page.fits(2 + report::columns(lab.id) + 2 + report::columns(title) + 2 + report::columns(how));
  std::cout << report::coloured(state.passed ? "✓ " : state.checks > 0 ? "· " : "  ", ink, terminal) << report::coloured(lab.id, report::Ink::accent, terminal, true);
  if (beside) std::cout << "  " << title << "  " << report::coloured(how, ink, terminal);
  std::cout << "\n";
  if (!beside) page.say(title, 4);
  if (!beside) page.say(how, 4, ink);
  page.say(lab.summary.in(context.text.language()), 4);
}

int list(const Context& context, const LabChoice& choice, const std::string& json) {
  const check::LabDiary diary;
  const report::Terminal terminal = report::terminal(1);
  ordered_json out = ordered_json::array();
  std::vector<check::BrokenLab> broken;
  for (const check::LabManifest& lab : choice.all(context, &broken)) {
    const check::LabState state = diary.state(lab.id);
    if (json.empty()) print_lab(context, lab, state, terminal);
    out.push_back(lab_json(lab, state));
  }
  ordered_json left_out = ordered_json::array();
  for (const check::BrokenLab& each : broken) left_out.push_back({{"id", each.id}, {"why", context.text(each.why)}});
  write_json(json, {{"schema", "p2plab.labs/1"}, {"labs", std::move(out)}, {"broken", std::move(left_out)}});
  return broken.empty() ? 0 : 2;
}

int next_lab(const Context& context, const LabChoice& choice) {
  const check::LabDiary diary;
  const report::Terminal terminal = report::terminal(1);
  const Page page(terminal, std::cout);
  const auto labs = choice.all(context);
  for (const check::LabManifest& lab : labs) {
    if (diary.state(lab.id).passed) continue;
    page.say(context("lab.next_lab", {{"lab", lab.id}, {"title", lab.title.in(context.text.language())}}));
    page.say(lab.summary.in(context.text.language()), 4);
    if (!lab.requires_labs.empty()) page.say(context("lab.needs", {{"labs", content::join(lab.requires_labs)}}), 4);
    return 0;
  }
  page.say(context("lab.all_passed", {{"count", std::to_string(labs.size())}}));
  return 0;
}

}  // namespace

void add_labs(CLI::App& app, Context& context) {
  auto json = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("labs", context("help.labs"));
  auto choice = add_lab_choice(*command, context, false);
  command->add_option("--json", *json, context("help.json"))->type_name("FILE|-")->check(file_name(context));
  command->footer(context("help.labs_examples"));
  command->callback([&context, choice, json] { context.action = [&context, choice, json] { return list(context, *choice, *json); }; });

  CLI::App* next = app.add_subcommand("next", context("help.next"));
  next->footer(context("help.next_examples"));
  auto next_choice = add_lab_choice(*next, context, false);
  next->callback([&context, next_choice] { context.action = [&context, next_choice] { return next_lab(context, *next_choice); }; });
}

}  // namespace p2plab::cli
