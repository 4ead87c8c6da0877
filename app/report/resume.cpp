// See resume.h.
#include "app/report/resume.h"

#include "app/content/spacing.h"
#include "app/report/figure.h"

namespace p2plab::report {

std::vector<FilledBlank> fill_blanks(const content::Card& card, const std::vector<SavedRun>& runs, const std::map<std::string, std::string>& typed) {
  std::vector<FilledBlank> out;
  for (const auto& blank : card.blanks) {
    FilledBlank filled{&blank, {}, nullptr};
    const auto colon = blank.metric.find(':');
    if (const auto said = typed.find(blank.name); said != typed.end() && !said->second.empty()) {
      filled.value = said->second;
    } else if (colon != std::string::npos) {
      for (const SavedRun& run : runs) {
        if (run.simulated || run.what != blank.metric.substr(0, colon)) continue;
        const auto number = number_at(run.json, blank.metric.substr(colon + 1));
        if (!number) continue;
        filled.value = figure(blank.metric.substr(blank.metric.rfind('.') + 1), *number);
        filled.run = &run;
        break;
      }
    }
    out.push_back(std::move(filled));
  }
  return out;
}

std::string resume_sentence(const content::Card& card, const std::vector<FilledBlank>& blanks, content::Language language) {
  std::string out = card.sentence.in(language);
  for (const FilledBlank& filled : blanks) {
    content::fill_in(out, filled.blank->name, filled.value.empty() ? "___ (" + filled.blank->what.in(language) + ")" : filled.value);
  }
  return out;
}

}  // namespace p2plab::report
