// See show_check.h.
#include "app/cli/show_check.h"

#include <fmt/format.h>

#include <ostream>

#include "app/check/shorten.h"
#include "app/cli/lab_choice.h"
#include "app/content/nearest.h"
#include "app/report/lab_text.h"
#include "app/report/terminal_timeline.h"

namespace p2plab::cli {

namespace {

using analysis::Verdict;

report::Ink outcome_ink(Verdict verdict) { return verdict == Verdict::pass ? report::Ink::good : verdict == Verdict::fail ? report::Ink::bad : report::Ink::muted; }
const char* outcome_sign(Verdict verdict) { return verdict == Verdict::pass ? "✓ " : verdict == Verdict::fail ? "✗ " : "– "; }

/// Output of a learner's program may be no UTF-8: what is not is shown as �.
std::string shown(const std::string& bytes) { return nlohmann::json::parse(nlohmann::json(bytes).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)).get<std::string>(); }

void print_outcome(const Context& context, const check::LabManifest& lab, const check::LabOutcome& outcome, check::Disclosure disclosure, const report::Terminal& terminal, std::ostream& out) {
  out << report::coloured(outcome_sign(outcome.verdict) + outcome.id, outcome_ink(outcome.verdict), terminal, outcome.verdict == Verdict::fail) << "  " << report::lab_title(lab, outcome, context.text);
  if (outcome.verdict == Verdict::not_run && !outcome.what.id.empty()) out << "  " << report::coloured(context.text(outcome.what), report::Ink::muted, terminal);
  out << "\n";
  for (const std::string& line : report::lab_lines(lab, outcome, disclosure, context.text)) out << "    " << shown(line) << "\n";
}

void print_why(const Context& context, const check::LabManifest& lab, std::ostream& out) {
  out << "\n" << context("lab.why_question") << lab.why.in(context.text.language()) << "\n  " << context("lab.why_points") << "\n";
  for (const auto& point : lab.points) out << "    - " << point.in(context.text.language()) << "\n";
}

}  // namespace

void print_check(const Context& context, const check::LabManifest& lab, const check::LabRequest& request, const check::LabResult& result, check::Disclosure disclosure, std::ostream& out, int fd) {
  const report::Terminal terminal = report::terminal(fd);
  if (!result.no_sandbox.empty()) out << report::coloured(context("lab.no_sandbox_" + result.no_sandbox), report::Ink::unsure, terminal) << "\n";
  if (!result.ignored.empty()) out << context("lab.ignored", {{"names", content::join(result.ignored)}}) << "\n";
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
  if (!result.why.id.empty()) out << "  " << context.text(result.why) << "\n";
  if (!result.cut.id.empty()) out << "  " << context.text(result.cut) << "\n";
  if (!result.advice.id.empty()) out << "  " << context.text(result.advice) << "\n";
  out << "  " << report::coloured(context("lab.conditions", {{"cases", std::to_string(result.cases)}, {"seed", std::to_string(request.seed)}}), report::Ink::muted, terminal) << "\n";
  if (good) print_why(context, lab, out);
  else if (judged) out << "  " << context("lab.stuck", {{"lab", lab.id}}) << "\n";
}

}  // namespace p2plab::cli
