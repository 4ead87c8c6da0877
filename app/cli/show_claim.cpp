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
    const bool of_the_claim = !result.counter;  // a counter-setting neither confirms nor refutes it
    const Ink ink = !of_the_claim ? Ink::muted : result.outcome == content::ClaimOutcome::confirmed ? Ink::good : result.outcome == content::ClaimOutcome::refuted ? Ink::bad : Ink::muted;
    const char* sign = !of_the_claim ? "· " : result.outcome == content::ClaimOutcome::confirmed ? "✓ " : result.outcome == content::ClaimOutcome::refuted ? "✗ " : "· ";
    out_ << report::coloured(sign + (of_the_claim ? report::claim_outcome(result, context_.text) : context_("claim.counter_mark")), ink, terminal_, true) << "  "
         << report::coloured(result.claim->id, Ink::accent, terminal_);
    if (const std::string world = report::claim_world(result, context_.text); !world.empty()) out_ << report::coloured(" · " + world, Ink::muted, terminal_);
    out_ << "\n";
  }
  /// Of a counter-setting: what came of which sentence.
  void counter_outcome(const check::ClaimResult& result, int indent) {
    if (result.counter) line(report::claim_outcome(result, context_.text), indent, true);
  }
  void own_verdict(const content::Claim& claim, int indent, bool with_why = true) {
    const std::string verdict = with_why ? report::claim_verdict(claim, context_.text) : context_("claim.verdict_" + std::string(to_string(claim.verdict)));
    line(context_("claim.own_verdict", {{"verdict", verdict}}), indent);
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

nlohmann::ordered_json twin_or_null(const content::Twin& twin) {
  return twin.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json{{"en", twin.en}, {"zh", twin.zh}};
}

nlohmann::ordered_json number_json(const content::ClaimNumber& number) {
  const auto path = [](const std::string& at) { return at.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(at); };
  return {{"metric", number.metric}, {"over", path(number.over)}, {"minus", path(number.minus)}, {"unit", number.unit}};
}

nlohmann::ordered_json setting_json(const std::optional<content::Experiment>& setting) {
  if (!setting) return nullptr;
  nlohmann::ordered_json commands = nlohmann::ordered_json::array(), also = nlohmann::ordered_json::object();
  for (const auto& words : setting->runs) commands.push_back(run_on_sim(words));
  for (const auto& [name, number] : setting->also) also[name] = number_json(number);
  const auto& says = setting->predicts;
  return {{"commands", commands}, {"number", number_json(*setting)}, {"also", also}, {"sentence", twin_or_null(setting->says)},
          {"predicts", {{"relation", says.relation}, {"value", says.word.empty() ? nlohmann::ordered_json(says.value) : nlohmann::ordered_json(says.word)}, {"tolerance", says.tolerance}}}};
}

}  // namespace

nlohmann::ordered_json claim_details(const content::Claim& claim) {
  return {{"schema", "p2plab.claim-details/1"}, {"id", claim.id}, {"claim", twin_or_null(claim.claim)}, {"verdict", to_string(claim.verdict)}, {"why", twin_or_null(claim.why)},
          {"better", twin_or_null(claim.better)}, {"sources", claim.sources}, {"experiment", setting_json(claim.experiment)}, {"counter", setting_json(claim.counter)}};
}

void print_claim(const Context& context, const content::Claim& claim, const std::vector<content::Source>& sources, std::ostream& out, int fd) {
  ClaimPrinter printer(context, out, fd);
  const auto language = context.text.language();
  printer.line(claim.claim.in(language), 0, true);
  out << report::coloured(claim.id + " · " + report::claim_speaker(claim, context.text), Ink::muted, printer.terminal()) << "\n\n";
  printer.labelled("claim.verdict", report::claim_verdict(claim, context.text));
  printer.labelled("claim.better", claim.better.in(language));
  if (claim.experiment) {
    out << report::coloured(context("claim.experiment"), Ink::muted, printer.terminal()) << "\n";
    for (const auto& words : claim.experiment->runs) printer.command(run_on_sim(words));
    printer.line(report::claim_predicts(*claim.experiment, context.text), 2);
    out << report::coloured(context("claim.counter"), Ink::muted, printer.terminal()) << "\n";
    for (const auto& words : claim.counter->runs) printer.command(run_on_sim(words));
    if (!claim.counter->says.empty()) printer.line(context("claim.another_sentence", {{"sentence", claim.counter->says.in(language)}}), 2);
    printer.line(report::claim_predicts(*claim.counter, context.text), 2);
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
  if (const auto& experiment = result.experiment())
    out << "  " << report::coloured(context("claim.number_is", {{"number", report::claim_number_name(*experiment, experiment->runs.size() == 2, context.text)}}), Ink::muted, printer.terminal()) << "\n";
  printer.outcome(result);
  printer.counter_outcome(result, 2);
  printer.line(report::claim_shows(result, context.text), 2);
  if (!result.as_declared()) printer.line(context("claim.not_as_declared"), 2, true);
  printer.own_verdict(claim, 2);
  if (result.counter) return;
  printer.labelled("claim.better", claim.better.in(language));
  list_sources(context, claim, sources, out, printer);
}

void print_claim_line(const Context& context, const check::ClaimResult& result, const std::vector<content::Source>& sources, std::ostream& out, int fd) {
  ClaimPrinter printer(context, out, fd);
  const content::Claim& claim = *result.claim;
  printer.outcome(result);
  printer.line(claim.claim.in(context.text.language()), 2);
  printer.counter_outcome(result, 4);
  printer.line("→ " + report::claim_shows(result, context.text), 4);
  if (result.outcome == content::ClaimOutcome::documented)  // there the source is the evidence
    for (const std::string& source : report::claim_sources(claim, sources, context.text)) printer.line(source, 6);
  if (!result.as_declared()) printer.line(context("claim.not_as_declared"), 4, true);
  printer.own_verdict(claim, 4, claim.verdict == content::ClaimVerdict::holds_when);  // among many the condition alone is worth its lines
  out.flush();
}

}  // namespace p2plab::cli
