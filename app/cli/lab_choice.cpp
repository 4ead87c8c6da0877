// See lab_choice.h.
#include "app/cli/lab_choice.h"

#include "app/cli/parse.h"

namespace p2plab::cli {

std::vector<check::LabManifest> LabChoice::all(const Context& context) const { return check::load_labs(check::labs_directory(context.installation.share(), labs)); }

check::LabManifest LabChoice::one(const Context& context) const { return check::find_lab(all(context), lab); }

std::shared_ptr<LabChoice> add_lab_choice(CLI::App& command, const Context& context, bool with_lab) {
  auto choice = std::make_shared<LabChoice>();
  if (with_lab) command.add_option("LAB", choice->lab, context("help.lab_id"))->required();
  command.add_option("--labs", choice->labs, context("help.labs_dir"))->type_name("DIR")->check(file_name(context));
  return choice;
}

const std::string& said(const Context& context, const check::Bilingual& twin) { return context.text.language() == content::Language::zh ? twin.zh : twin.en; }
const char* language_word(const Context& context) { return context.text.language() == content::Language::zh ? "zh" : "en"; }

std::filesystem::path default_work(const check::LabManifest& lab, const check::LabState& state) {
  for (const std::filesystem::path& folder : {std::filesystem::path("."), std::filesystem::path(lab.id), state.folder}) {
    if (!folder.empty() && std::filesystem::exists(folder / lab.file)) return folder;
  }
  throw Error("lab.not_started", {{"lab", lab.id}});
}

}  // namespace p2plab::cli
