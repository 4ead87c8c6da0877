// See lab_choice.h.
#include "app/cli/lab_choice.h"

#include <iostream>

#include "app/check/lab_folder.h"
#include "app/cli/parse.h"

namespace p2plab::cli {

std::vector<check::LabManifest> LabChoice::all(const Context& context, std::vector<check::BrokenLab>* broken) const {
  std::vector<check::BrokenLab> left_out;
  auto out = check::load_labs(check::labs_directory(context.installation.share(), labs), &left_out, context.installation.share() / "labs");
  if (out.empty() && left_out.empty()) throw Error("lab.no_labs", {{"path", check::labs_directory(context.installation.share(), labs).string()}});
  for (const check::BrokenLab& each : left_out) std::cerr << "p2plab: " << context.text(each.why) << "\n";
  if (broken != nullptr) *broken = std::move(left_out);
  return out;
}

check::LabManifest LabChoice::one(const Context& context) const {
  std::vector<check::BrokenLab> broken;
  const auto labs_there = check::load_labs(check::labs_directory(context.installation.share(), labs), &broken, context.installation.share() / "labs");
  for (const check::BrokenLab& each : broken)
    if (check::is_called(each.id, lab)) throw Error(each.why.id, each.why.params);
  return check::find_lab(labs_there, lab);
}

std::shared_ptr<LabChoice> add_lab_choice(CLI::App& command, const Context& context, bool with_lab) {
  auto choice = std::make_shared<LabChoice>();
  if (with_lab) command.add_option("LAB", choice->lab, context("help.lab_id"))->required();
  command.add_option("--labs", choice->labs, context("help.labs_dir"))->type_name("DIR")->check(file_name(context));
  return choice;
}

void note(const Context& context, const std::function<void(check::LabDiary&)>& what) {
  try {
    check::LabDiary diary;
    what(diary);
  } catch (const Error& error) {
    std::cerr << "p2plab: " << context("lesson.not_saved", {{"why", context.text(error)}}) << "\n";
  }
}

const char* language_word(const Context& context) { return context.text.language() == content::Language::zh ? "zh" : "en"; }

std::filesystem::path default_work(const check::LabManifest& lab, const check::LabState& state) {
  const std::filesystem::path folder = check::started_folder(lab, state.folder);
  if (folder.empty()) throw Error("lab.not_started", {{"lab", lab.id}});
  return folder;
}

}  // namespace p2plab::cli
