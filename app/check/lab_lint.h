// `p2plab lab lint`: a lab proves itself. The starter fails as declared, the solution passes, each mutant fails by its one
// check, both languages are complete.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/check/lab_check.h"

namespace p2plab::check {

struct LintLine {
  std::string file;          ///< "starter.cpp", "mutants/only-prints.cpp"
  bool good = false;
  TextRef what{};            ///< of what is not good
  std::string verdict{}, fails{};  ///< as seen
  double seconds = 0;
};

struct LintResult {
  std::vector<LintLine> lines;
  double seconds = 0;
  bool cancelled = false;
  bool good() const;
};

/// Called after each line, and now and then in between with null; false stops everything.
using LintWatcher = std::function<bool(const LintLine* line)>;

/// `jobs` programs are checked at the same time, each with one case at a time.
LintResult lint_lab(const launch::Installation& installation, const LabManifest& lab, int jobs, std::uint64_t seed, const LintWatcher& watcher = {});

}  // namespace p2plab::check
