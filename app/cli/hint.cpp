// p2plab hint LAB: one rung further up. p2plab solution LAB: the end of the ladder.
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>

#include "app/cli/lab_choice.h"
#include "app/cli/page.h"

namespace p2plab::cli {

namespace {

int hint(const Context& context, const LabChoice& choice, int wanted) {
  const check::LabManifest lab = choice.one(context);
  if (wanted < 0 || wanted > 4) throw Error("lab.bad_rung");
  const int rung = wanted > 0 ? wanted : std::min(check::LabDiary().state(lab.id).hints + 1, 4);
  const report::Terminal terminal = report::terminal(STDOUT_FILENO);
  const Page page(terminal, std::cout);
  page.say(context("lab.hint_of", {{"rung", std::to_string(rung)}}) + "\n");
  page.say(lab.hints.at(static_cast<std::size_t>(rung - 1)).in(context.text.language()) + "\n");
  page.say(context(rung < 4 ? "lab.hint_more" : "lab.hint_last", {{"lab", lab.id}}));
  note(context, [&](check::LabDiary& diary) { diary.hinted(lab.id, rung); });
  return 0;
}

int solution(const Context& context, const LabChoice& choice, bool force) {
  const check::LabManifest lab = choice.one(context);
  if (!force && !check::LabDiary().state(lab.id).passed) throw Error("lab.not_passed", {{"lab", lab.id}}, 1);
  note(context, [&](check::LabDiary& diary) { diary.solved(lab.id); });
  std::ifstream in(lab.solution_file(), std::ios::binary);
  std::cout << in.rdbuf();
  return 0;
}

}  // namespace

void add_hint(CLI::App& app, Context& context) {
  auto rung = std::make_shared<int>(0);
  CLI::App* command = app.add_subcommand("hint", context("help.hint"));
  auto choice = add_lab_choice(*command, context);
  command->add_option("--rung", *rung, context("help.hint_rung"))->type_name("N");
  command->footer(context("help.hint_examples"));
  command->callback([&context, choice, rung] { context.action = [&context, choice, rung] { return hint(context, *choice, *rung); }; });

  auto force = std::make_shared<bool>(false);
  CLI::App* end = app.add_subcommand("solution", context("help.solution"));
  auto end_choice = add_lab_choice(*end, context);
  end->add_flag("--force", *force, context("help.solution_force"));
  end->footer(context("help.solution_examples"));
  end->callback([&context, end_choice, force] { context.action = [&context, end_choice, force] { return solution(context, *end_choice, *force); }; });
}

}  // namespace p2plab::cli
