// p2plab start LAB [DIR], and p2plab reset LAB: a learner's folder, made and put back.
#include <unistd.h>

#include <iostream>

#include "app/check/lab_folder.h"
#include "app/cli/lab_choice.h"
#include "app/cli/page.h"

namespace p2plab::cli {

namespace {

void say(const std::string& words) {
  const report::Terminal terminal = report::terminal(STDOUT_FILENO);
  Page(terminal, std::cout).say(words);
}

int start(const Context& context, const LabChoice& choice, const std::string& folder_word) {
  const check::LabManifest lab = choice.one(context);
  const std::filesystem::path folder = folder_word.empty() ? std::filesystem::path(lab.id) : std::filesystem::path(folder_word);
  const bool copied = check::start_lab(lab, folder, language_word(context));
  say(context(copied ? "lab.started" : "lab.is_started", {{"lab", lab.id}, {"folder", folder.string()}, {"file", lab.file}}));
  note(context, [&](check::LabDiary& diary) { diary.started(lab.id, folder); });
  return 0;
}

int reset(const Context& context, const LabChoice& choice) {
  const check::LabManifest lab = choice.one(context);
  const std::filesystem::path folder = default_work(lab, check::LabDiary().state(lab.id));
  const std::filesystem::path kept = check::reset_lab(lab, folder, language_word(context));
  say(context(kept.empty() ? "lab.reset_same" : "lab.reset_kept", {{"lab", lab.id}, {"folder", folder.string()}, {"file", kept.string()}}));
  return 0;
}

}  // namespace

void add_start(CLI::App& app, Context& context) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("start", context("help.start"));
  auto choice = add_lab_choice(*command, context);
  command->add_option("DIR", *folder, context("help.start_dir"));
  command->footer(context("help.start_examples"));
  command->callback([&context, choice, folder] { context.action = [&context, choice, folder] { return start(context, *choice, *folder); }; });

  CLI::App* back = app.add_subcommand("reset", context("help.reset"));
  auto back_choice = add_lab_choice(*back, context);
  back->footer(context("help.reset_examples"));
  back->callback([&context, back_choice] { context.action = [&context, back_choice] { return reset(context, *back_choice); }; });
}

}  // namespace p2plab::cli
