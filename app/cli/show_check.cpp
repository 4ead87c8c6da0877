// See show_check.h.
#include "app/cli/show_check.h"

#include <fmt/format.h>

#include <initializer_list>
#include <optional>
#include <ostream>

#include "app/check/shorten.h"
#include "app/cli/lab_choice.h"
#include "app/cli/page.h"
#include "app/content/nearest.h"
#include "app/report/lab_text.h"
#include "app/report/terminal_timeline.h"
#include "app/report/utf8.h"

namespace p2plab::cli {

namespace {

using analysis::Verdict;

report::Ink outcome_ink(Verdict verdict) { return verdict == Verdict::pass ? report::Ink::good : verdict == Verdict::fail ? report::Ink::bad : report::Ink::muted; }
const char* outcome_sign(Verdict verdict) { return verdict == Verdict::pass ? "✓ " : verdict == Verdict::fail ? "✗ " : "– "; }

/// Output of a learner's program may be no UTF-8: what is not is shown as �.
std::string shown(const std::string& bytes) { return nlohmann::json::parse(nlohmann::json(bytes).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)).get<std::string>(); }

/// A coloured head and what follows it: beside each other where they fit, else below each other.
void say_head(const Page& page, const report::Terminal& terminal, std::ostream& out, const std::string& head, report::Ink ink, bool bold, std::initializer_list<std::pair<std::string, std::optional<report::Ink>>> rest) {
  int wide = report::columns(head);
  for (const auto& [words, its] : rest) wide += words.empty() ? 0 : 2 + report::columns(words);
  out << report::coloured(head, ink, terminal, bold);
  for (const auto& [words, its] : rest)
    if (page.fits(wide) && !words.empty()) out << "  " << (its ? report::coloured(words, *its, terminal) : words);
  out << "\n";
  for (const auto& [words, its] : rest)
    if (!page.fits(wide) && !words.empty()) page.say(words, 4, its);
}

void print_outcome(const Context& context, const check::LabManifest& lab, const check::LabOutcome& outcome, check::Disclosure disclosure, const report::Terminal& terminal, std::ostream& out) {
  const Page page(terminal, out);
  const bool behind = outcome.verdict == Verdict::not_run && !outcome.what.id.empty();
  say_head(page, terminal, out, outcome_sign(outcome.verdict) + outcome.id, outcome_ink(outcome.verdict), outcome.verdict == Verdict::fail,
           {{report::lab_title(lab, outcome, context.text), {}}, {behind ? context.text(outcome.what) : std::string(), report::Ink::muted}});
  for (const std::string& line : report::lab_lines(lab, outcome, disclosure, context.text)) page.evidence(shown(line), 4);
}

void print_why(const Context& context, const check::LabManifest& lab, const Page& page, std::ostream& out) {
  out << "\n";
  page.say(context("lab.why_question") + lab.why.in(context.text.language()));
  page.say(context("lab.why_points"), 2);
  for (const auto& point : lab.points) page.say("- " + point.in(context.text.language()), 4, {}, false, 2);
}

}  // namespace

void print_check(const Context& context, const check::LabManifest& lab, const check::LabRequest& request, const check::LabResult& result, check::Disclosure disclosure, std::ostream& out, int fd) {
  const report::Terminal terminal = report::terminal(fd);
  const Page page(terminal, out);
  if (!result.no_sandbox.empty()) page.say(context("lab.no_sandbox_" + result.no_sandbox), 0, report::Ink::unsure);
  if (!result.ignored.empty()) page.say(context("lab.ignored", {{"names", content::join(result.ignored)}}));
  if (!result.compiler_text.empty()) {
    if (result.verdict != Verdict::build_error) out << context("lab.warnings") << "\n";
    out << shown(check::shortened(result.compiler_text)) << (result.compiler_text.ends_with('\n') ? "" : "\n");
  }
  const check::LabOutcome* first = result.first_failure();
  if (first != nullptr) {
    print_outcome(context, lab, *first, disclosure, terminal, out);
    if (!first->hidden && disclosure == check::Disclosure::full && result.trace && !result.trace->spans().empty()) {
      report::TerminalOptions options;
      std::tie(options.begin, options.end) = report::lab_window(*result.trace, *first);
      out << "\n" << report::terminal_timeline(*result.trace, context.text, terminal, options);
    }
    out << "\n";
  }
  for (const check::LabOutcome& outcome : result.checks) {
    if (&outcome == first || (outcome.gate && outcome.verdict == Verdict::pass)) continue;
    print_outcome(context, lab, outcome, disclosure, terminal, out);
  }
  int hidden = 0, hidden_failed = 0;
  for (const check::LabOutcome& outcome : result.checks) {
    hidden += outcome.hidden ? 1 : 0;
    hidden_failed += outcome.hidden && outcome.verdict == Verdict::fail ? 1 : 0;
  }
  if (hidden > 0) out << context("lab.hidden", {{"count", std::to_string(hidden)}, {"failed", std::to_string(hidden_failed)}}) << "\n";
  const bool good = result.verdict == Verdict::pass, judged = result.verdict != Verdict::infra_error && result.verdict != Verdict::not_run;
  const report::Ink ink = good ? report::Ink::good : !judged ? report::Ink::unsure : report::Ink::bad;
  out << "\n" << report::coloured((good ? "✓ " : judged ? "✗ " : "? ") + context("verdict." + std::string(to_string(result.verdict))), ink, terminal, true) << "  "
      << (judged ? context("lab.score", {{"score", fmt::format("{:.3g}", result.score)}}) : std::string()) << "\n";
  for (const TextRef* said : {&result.why, &result.cut, &result.advice})
    if (!said->id.empty()) page.say(context.text(*said), 2);
  page.say(context("lab.conditions", {{"cases", std::to_string(result.cases)}, {"seed", std::to_string(request.seed)}}), 2, report::Ink::muted);
  if (good) print_why(context, lab, page, out);
  else if (judged) page.say(context("lab.stuck", {{"lab", lab.id}}), 2);
}

}  // namespace p2plab::cli
