// See lab_text.h.
#include "app/report/lab_text.h"

#include <algorithm>

#include "app/report/finding_text.h"
#include "app/report/quantity.h"

namespace p2plab::report {

std::string lab_title(const check::LabManifest& lab, const check::LabOutcome& outcome, const content::Text& text) {
  if (outcome.gate) return text("lab-gate." + outcome.id);
  if (outcome.hidden) return text("lab.hidden_one");
  const check::LabCheck* known = lab.check(outcome.id);
  return known == nullptr ? outcome.id : known->title.in(text.language());
}

std::string lab_case_text(const check::LabCase& how, const content::Text& text) {
  const std::string size = how.bytes ? text("lab.where_size", {{"bytes", bytes(static_cast<std::uint64_t>(*how.bytes))}}) : "";
  const std::string strict = how.strict ? text("lab.where_strict") : how.access ? text("lab.where_access") : "";
  const std::string delay = how.delay > 0 ? text("lab.where_delay", {{"number", std::to_string(how.delay)}}) : "";
  return text("lab.where_case", {{"ranks", std::to_string(how.ranks)}, {"size", size}, {"strict", strict}, {"delay", delay}});
}

std::vector<std::string> lab_lines(const check::LabManifest& lab, const check::LabOutcome& outcome, check::Disclosure disclosure, const content::Text& text) {
  std::vector<std::string> lines;
  if (outcome.hidden || disclosure == check::Disclosure::none || outcome.verdict != analysis::Verdict::fail) return lines;
  const TextRef what = disclosure == check::Disclosure::full ? outcome.what : check::seen_words(outcome);
  if (!what.id.empty()) lines.push_back(text(what));
  for (const analysis::Finding& finding : outcome.findings) {
    if (finding.kind == "lab-rule") {  // only places; the sentence above says what is wrong
      for (const analysis::Site& site : finding.sites) lines.push_back("    " + site_text(site));
      continue;
    }
    for (std::string& line : finding_text(finding, text)) lines.push_back(std::move(line));
  }
  if (outcome.where) lines.push_back("(" + lab_case_text(*outcome.where, text) + ")");
  if (const check::LabCheck* known = lab.check(outcome.id); known != nullptr && !known->look.en.empty() && disclosure == check::Disclosure::full) lines.push_back(text("lab.look") + known->look.in(text.language()));
  return lines;
}

std::pair<trace::Ns, trace::Ns> lab_window(const trace::Trace& trace, const check::LabOutcome& outcome) {
  trace::Ns begin = trace::kOpen, end = 0;
  const auto take = [&](trace::SpanId id) {
    if (id == trace::kNoIndex || id >= trace.spans().size()) return;
    const trace::Span& span = trace.span(id);
    begin = std::min(begin, span.begin);
    end = std::max(end, span.open() ? trace.now() : span.end);
  };
  for (const trace::SpanId id : outcome.spans) take(id);
  for (const analysis::Finding& finding : outcome.findings)
    for (const analysis::Site& site : finding.sites) take(site.span);
  if (end <= begin) return {0, 0};
  const trace::Ns air = std::max<trace::Ns>((end - begin) / 10, 1);
  return {std::max<trace::Ns>(begin - air, 0), end + air};
}

}  // namespace p2plab::report
