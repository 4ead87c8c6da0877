// What the check of a lab has found, failures first, each linked to the run that shows it.
#include <algorithm>
#include <fmt/format.h>

#include "app/check/shorten.h"
#include "app/content/nearest.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/views/finding.h"
#include "app/gui/views/lab_parts.h"
#include "app/gui/views/reading.h"
#include "app/gui/widgets/basic.h"
#include "app/report/lab_text.h"

namespace p2plab::gui {
namespace {

using analysis::Verdict;
using check::LabOutcome;

/// A sign and words beside it that wrap.
void signed_line(Ui& ui, Icon icon, report::Rgb ink, ImFont* font, report::Rgb text_ink, const std::string& words, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float row = compat::font_size(font);
  if (icon == Icon::none) ImGui::GetWindowDrawList()->AddRectFilled({at.x + ui.px(3), at.y + row / 2}, {at.x + ui.px(11), at.y + row / 2 + std::max(1.0f, ui.px(1.5f))}, colour(ink));
  else draw_icon(*ImGui::GetWindowDrawList(), icon, {at.x + ui.px(7), at.y + row / 2}, ui.px(12), colour(ink));
  ImGui::SetCursorScreenPos({at.x + ui.px(22), at.y});
  paragraph(ui, font, text_ink, words, width - ui.px(22));
  ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y});
}

void title_of(Ui& ui, const check::LabManifest& lab, const LabOutcome& outcome, float width) {
  const auto& p = ui.palette();
  const std::string title = report::lab_title(lab, outcome, ui.text);
  switch (outcome.verdict) {
    case Verdict::pass: return signed_line(ui, Icon::check, p.good, ui.fonts.small, p.text, title, width);
    case Verdict::fail: return signed_line(ui, Icon::cross, p.bad, ui.fonts.body, p.bad, title, width);
    default: return signed_line(ui, Icon::none, p.muted, ui.fonts.small, p.muted, outcome.what.id.empty() ? title : title + "  (" + ui.text(outcome.what) + ")", width);
  }
}

/// Shows the run of this outcome in the timeline, at a span of it.
void show(LabPage& page, const LabOutcome& outcome, trace::SpanId span) {
  if (!outcome.trace) return;
  if (page.trace != outcome.trace) {
    page.trace = outcome.trace;
    page.timeline.reset();
  }
  LabPage::Wanted wanted;
  wanted.span = span;
  std::tie(wanted.begin, wanted.end) = report::lab_window(*outcome.trace, outcome);
  page.wanted = wanted;
  page.tab = LabTab::timeline;
}

trace::SpanId first_span(const LabOutcome& outcome) {
  if (!outcome.spans.empty()) return outcome.spans.front();
  for (const auto& finding : outcome.findings)
    for (const auto& site : finding.sites)
      if (site.span != trace::kNoIndex) return site.span;
  return trace::kNoIndex;
}

void draw_failure(Ui& ui, LabPage& page, const LabOutcome& outcome, int index, float width) {
  const auto& p = ui.palette();
  const float indent = ui.px(22), inner = width - indent;
  ImGui::Indent(indent);
  if (!outcome.what.id.empty()) paragraph(ui, ui.fonts.body, p.text, ui.text(outcome.what), inner);
  int number = index * 16;
  for (const auto& finding : outcome.findings)
    if (const trace::SpanId chosen = draw_finding(ui, finding, number++, inner); chosen != trace::kNoIndex) show(page, outcome, chosen);
  if (outcome.where) line(ui, ui.fonts.small, p.muted, ui.text("labs.seen_with", {{"case", report::lab_case_text(*outcome.where, ui.text)}}), inner);
  const auto* known = page.model.lab()->check(outcome.id);
  if (known != nullptr && !known->look.en.empty()) paragraph(ui, ui.fonts.small, p.accent, ui.text("lab.look") + known->look.in(ui.text.language()), inner);
  if (const trace::SpanId span = first_span(outcome); outcome.trace && !outcome.trace->spans().empty()) {
    ImGui::PushID(index);
    if (focus_button(ui, page.focus, "show-run", ui.text("labs.show_run"))) show(page, outcome, span);
    ImGui::PopID();
  }
  ImGui::Unindent(indent);
}

/// Before any check: what will be looked at.
void draw_expected(Ui& ui, LabPage& page, float width) {
  const auto& p = ui.palette();
  const auto& lab = *page.model.lab();
  line(ui, ui.fonts.small, p.muted, ui.text("labs.will_check"), width);
  int hidden = 0;
  for (const check::LabCheck& each : lab.checks) {
    hidden += each.hidden ? 1 : 0;
    if (!each.hidden) signed_line(ui, Icon::none, p.muted, ui.fonts.small, p.text, each.title.in(ui.text.language()), width);
  }
  if (hidden > 0) line(ui, ui.fonts.small, p.muted, ui.text("labs.and_hidden", {{"count", std::to_string(hidden)}}), width);
}

void draw_verdict_line(Ui& ui, const check::LabResult& result, float width) {
  const auto& p = ui.palette();
  const bool good = result.verdict == Verdict::pass, none = result.verdict == Verdict::infra_error || result.verdict == Verdict::not_run;
  const report::Rgb ink = good ? p.good : none ? p.unsure : p.bad;
  std::string words = ui.text("verdict." + std::string(to_string(result.verdict)));
  if (!none) words += "   " + ui.text("lab.score", {{"score", fmt::format("{:.3g}", result.score)}});
  signed_line(ui, good ? Icon::check : none ? Icon::question : Icon::cross, ink, ui.fonts.body, ink, words, width);
  if (!result.why.id.empty()) paragraph(ui, ui.fonts.body, p.text, ui.text(result.why), width);
  if (!result.advice.id.empty()) paragraph(ui, ui.fonts.small, p.muted, ui.text(result.advice), width);
}

void draw_why(Ui& ui, const check::LabManifest& lab, float width) {
  const auto& p = ui.palette();
  ImGui::Dummy({1, ui.px(6)});
  paragraph(ui, ui.fonts.body, p.accent, ui.text("lab.why_question") + lab.why.in(ui.text.language()), width);
  line(ui, ui.fonts.small, p.muted, ui.text("lab.why_points"), width);
  for (const auto& point : lab.points) signed_line(ui, Icon::none, p.muted, ui.fonts.small, p.text, point.in(ui.text.language()), width);
}

}  // namespace

void draw_lab_result(Ui& ui, App& app, float width) {
  LabPage& page = app.labs;
  const auto& p = ui.palette();
  const auto& lab = *page.model.lab();
  const auto& result = page.model.result();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), ui.px(5)));
  if (!result) {
    draw_expected(ui, page, width);
    ImGui::PopStyleVar();
    return;
  }
  draw_verdict_line(ui, *result, width);
  if (!result->compiler_text.empty()) {
    line(ui, ui.fonts.small, p.unsure, ui.text(result->verdict == Verdict::build_error ? "labs.compiler" : "lab.warnings"), width);
    draw_code_box(ui, check::shortened(result->compiler_text), width);
  }
  const LabOutcome* first = result->first_failure();
  int index = 0;
  if (first != nullptr) {
    title_of(ui, lab, *first, width);
    if (!first->hidden) draw_failure(ui, page, *first, index, width);
  }
  int hidden = 0, hidden_failed = 0;
  for (const LabOutcome& outcome : result->checks) {
    ++index;
    hidden += outcome.hidden ? 1 : 0;
    hidden_failed += outcome.hidden && outcome.verdict == Verdict::fail ? 1 : 0;
    if (&outcome == first || (outcome.gate && outcome.verdict == Verdict::pass)) continue;
    title_of(ui, lab, outcome, width);
    if (outcome.verdict == Verdict::fail && !outcome.hidden) draw_failure(ui, page, outcome, index, width);
  }
  if (hidden > 0) line(ui, ui.fonts.small, p.muted, ui.text("lab.hidden", {{"count", std::to_string(hidden)}, {"failed", std::to_string(hidden_failed)}}), width);
  paragraph(ui, ui.fonts.small, p.muted, ui.text("lab.conditions", {{"cases", std::to_string(result->cases)}, {"seed", std::to_string(page.model.request().seed)}}), width);
  if (!result->ignored.empty()) paragraph(ui, ui.fonts.small, p.muted, ui.text("lab.ignored", {{"names", content::join(result->ignored)}}), width);
  if (!result->no_sandbox.empty()) paragraph(ui, ui.fonts.small, p.unsure, ui.text("lab.no_sandbox_" + result->no_sandbox), width);
  if (result->verdict == Verdict::pass) draw_why(ui, lab, width);
  ImGui::PopStyleVar();
}

void draw_lab_timeline(Ui& ui, App& app) {
  LabPage& page = app.labs;
  const ImVec2 at = ImGui::GetCursorScreenPos(), size = ImGui::GetContentRegionAvail();
  // The page has keys of its own: the timeline's are its while the mouse is on it.
  Ui own{ui.theme, ui.fonts, ui.text, {}, ui.animate, ui.seconds, false};
  if (ImGui::IsMouseHoveringRect(at, {at.x + size.x, at.y + size.y})) own.keys.swap(ui.keys);
  page.timeline.draw(own, page.trace.get(), false, at, size);
  if (page.wanted && page.trace) {
    if (page.wanted->span != trace::kNoIndex && page.wanted->span < page.trace->spans().size()) page.timeline.select(*page.trace, page.wanted->span);
    if (page.wanted->end > page.wanted->begin) page.timeline.show(page.wanted->begin, page.wanted->end);
    page.wanted.reset();
    own.moving = true;
  }
  ui.moving = ui.moving || own.moving || page.timeline.wants_redraw();
}

}  // namespace p2plab::gui
