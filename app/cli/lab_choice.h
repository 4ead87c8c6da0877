// What all subcommands about labs share: which labs there are, which one is meant, where the learner works on it.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/check/lab_diary.h"
#include "app/check/lab_manifest.h"
#include "app/cli/commands.h"

namespace p2plab::cli {

struct LabChoice {
  std::string labs, lab;
  /// A broken lab is told in `broken`, or on the standard error.
  std::vector<check::LabManifest> all(const Context& context, std::vector<check::BrokenLab>* broken = nullptr) const;
  check::LabManifest one(const Context& context) const;
};

/// Adds LAB (if `with_lab`) and --labs to a subcommand.
std::shared_ptr<LabChoice> add_lab_choice(CLI::App& command, const Context& context, bool with_lab = true);

/// Adds to the learner's diary; where that cannot be written it is one warning, and the command goes on.
void note(const Context& context, const std::function<void(check::LabDiary&)>& what);

const char* language_word(const Context& context);

/// What is checked when no file was named: the folder in which the lab was started. Throws Error "lab.not_started".
std::filesystem::path default_work(const check::LabManifest& lab, const check::LabState& state);

}  // namespace p2plab::cli
