// See show_claim.h.
#include "app/cli/show_claim.h"

#include <ostream>

#include "app/content/document.h"
#include "app/content/live_block.h"
#include "app/report/claim_report.h"
#include "app/report/terminal_document.h"

namespace p2plab::cli {

namespace {

using report::Ink;

class ClaimPrinter {
 public:
  ClaimPrinter(const Context& context, std::ostream& out, int fd) : context_(context), out_(out), terminal_(report::terminal(fd)) {}

  void line(const std::string& text, int indent, bool strong = false) {
    content::Block block;
    block.inlines.push_back({text, strong ? content::Inline::strong : content::Inline::plain, ""});
    out_ << report::terminal_block(block, context_.text, terminal_, indent);
  }
  /// Muted heading, then text.
  void labelled(const char* heading, const std::string& text) {
    out_ << report::coloured(context_(heading), Ink::muted, terminal_) << "\n";
    line(text, 2);
  }
  void command(const std::string& text) { out_ << "  " << report::coloured("$ " + text, Ink::accent, terminal_) << "\n"; }
  void outcome(const check::ClaimResult& result) {
    const std::string word(to_string(result.outcome));
    const Ink ink = result.outcome == content::ClaimOutcome::confirmed ? Ink::good : result.outcome == content::ClaimOutcome::refuted ? Ink::bad : Ink::muted;
    const char* sign = result.outcome == content::ClaimOutcome::confirmed ? "✓ " : result.outcome == content::ClaimOutcome::refuted ? "✗ " : "· ";
    out_ << report::coloured(sign + context_("claim.outcome_" + word), ink, terminal_, true) << "  " << report::coloured(result.claim->id, Ink::accent, terminal_)
         << (result.counter ? "  " + context_("claim.counter_mark") : "") << "\n";
  }
  const report::Terminal& terminal() const { return terminal_; }

 private:
  const Context& context_;
  std::ostream& out_;
  report::Terminal terminal_;
};

void list_sources(const Context& context, const content::Claim& claim, const std::vector<content::Source>& sources, std::ostream& out, ClaimPrinter& printer) {
  const auto lines = report::claim_sources(claim, sources, context.text);
  if (lines.empty()) return;
  out << report::coloured(context("lesson.sources"), Ink::muted, printer.terminal()) << "\n";
  for (const std::string& each : lines) printer.line(each, 2);
}

/// As `p2plab claim run` runs it.
std::string run_on_sim(std::vector<std::string> words) {
  if (words.front() == "run") words.insert(words.end(), {"--backend", "sim"});
  return content::typed_command(words);
}

/// "metrics.makespan_ns (1) / metrics.makespan_ns (2)" where two runs make the number.
std::string what_is_looked_at(const content::Experiment& experiment) {
  const std::string& other = experiment.over.empty() ? experiment.minus : experiment.over;
  if (other.empty()) return experiment.metric;
  const bool two = experiment.runs.size() == 2;
  return experiment.metric + (two ? " (1)" : "") + (experiment.over.empty() ? " − " : " / ") + other + (two ? " (2)" : "");
}

}  // namespace

void print_claim(const Context& context, const content::Claim& claim, const std::vector<content::Source>& sources, std::ostream& out, int fd) {
  ClaimPrinter printer(context, out, fd);
  const auto language = context.text.language();
  printer.line(claim.claim.in(language), 0, true);
  out << report::coloured(claim.id + " · " + report::claim_speaker(claim, context.text), Ink::muted, printer.terminal()) << "\n\n";
  printer.labelled("claim.verdict", context("claim.verdict_" + std::string(to_string(claim.verdict))) + " " + claim.why.in(language));
  printer.labelled("claim.better", claim.better.in(language));
  if (claim.experiment) {
    out << report::coloured(context("claim.experiment"), Ink::muted, printer.terminal()) << "\n";
    for (const auto& words : claim.experiment->runs) printer.command(run_on_sim(words));
    printer.line(context("claim.predicts", {{"metric", what_is_looked_at(*claim.experiment)}, {"relation", claim.experiment->predicts.relation},
                                            {"value", claim.experiment->predicts.word.empty() ? nlohmann::ordered_json(claim.experiment->predicts.value).dump() : claim.experiment->predicts.word}}),
                 2);
    out << report::coloured(context("claim.counter"), Ink::muted, printer.terminal()) << "\n";
    for (const auto& words : claim.counter->runs) printer.command(run_on_sim(words));
  } else {
    printer.labelled("claim.experiment", context("claim.no_run_can_show"));
  }
  list_sources(context, claim, sources, out, printer);
}

void print_claim_result(const Context& context, const check::ClaimResult& result, const std::vector<content::Source>& sources, std::ostream& out, int fd) {
  ClaimPrinter printer(context, out, fd);
  const content::Claim& claim = *result.claim;
  const auto language = context.text.language();
  printer.line(claim.claim.in(language), 0, true);
  for (const std::string& command : result.commands) printer.command(command);
  printer.outcome(result);
  printer.line(report::claim_shows(result, context.text), 2);
  if (!result.as_declared()) printer.line(context("claim.not_as_declared"), 2, true);
  if (result.counter) return;
  printer.labelled("claim.better", claim.better.in(language));
  list_sources(context, claim, sources, out, printer);
}

void print_claim_line(const Context& context, const check::ClaimResult& result, std::ostream& out, int fd) {
  ClaimPrinter printer(context, out, fd);
  printer.outcome(result);
  printer.line(result.claim->claim.in(context.text.language()), 2);
  printer.line("→ " + report::claim_shows(result, context.text), 4);
  if (!result.as_declared()) printer.line(context("claim.not_as_declared"), 4, true);
  out.flush();
}

}  // namespace p2plab::cli
