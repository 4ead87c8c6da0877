// A resume sentence with the learner's own numbers in it.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "app/content/card.h"
#include "app/report/saved_runs.h"

namespace p2plab::report {

/// A blank, and what stands in it.
struct FilledBlank {
  const content::Blank* blank = nullptr;
  std::string value;             ///< empty: nothing measured and nothing typed
  const SavedRun* run = nullptr; ///< whose number it is; null for what was typed
};

/// What was typed first, else the newest run that was measured: a number of the virtual clock is no measurement and is passed over.
/// The result points into `card` and `runs`.
std::vector<FilledBlank> fill_blanks(const content::Card& card, const std::vector<SavedRun>& runs, const std::map<std::string, std::string>& typed = {});

/// The card's sentence; an open blank stands as "___ (what belongs here)".
std::string resume_sentence(const content::Card& card, const std::vector<FilledBlank>& blanks, content::Language language);

}  // namespace p2plab::report
