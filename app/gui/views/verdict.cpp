// How the run was judged: a sign and a word, whether the demo showed what it promised, and each finding with its sites.
#include <algorithm>

#include "app/check/judge.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/model/sim_numbers.h"
#include "app/gui/views/finding.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"
#include "app/report/run_sentence.h"

namespace p2plab::gui {
namespace {

struct Sign {
  Icon icon;
  report::Rgb ink;
};

Sign sign(const Ui& ui, analysis::Verdict verdict) {
  using analysis::Verdict;
  const auto& p = ui.palette();
  switch (verdict) {
    case Verdict::pass: return {Icon::check, p.good};
    case Verdict::unsafe:
    case Verdict::race:
    case Verdict::unstable:
    case Verdict::livelock:
    case Verdict::not_run: return {Icon::question, p.unsure};
    default: return {Icon::cross, p.bad};
  }
}

/// The strip's sign, its word, and what it says about the promise.
struct Strip {
  Sign sign;
  std::string word, promise;
};

std::optional<Strip> strip(const Ui& ui, const App& app) {
  const auto& p = ui.palette();
  if (app.session.error()) return Strip{{Icon::cross, p.bad}, ui.text("gui.could_not"), {}};
  if (!app.session.run() || app.shows_file()) return std::nullopt;
  if (app.session.running()) return Strip{{Icon::play, p.accent}, ui.text("gui.running"), {}};
  const auto& result = *app.session.result();
  const bool judged = result.verdict != analysis::Verdict::not_run && result.promised.has_value();
  return Strip{sign(ui, result.verdict), ui.text(check::verdict_id(result)),
               judged ? ui.text(result.not_shown ? "gui.promise_unshown" : result.as_promised ? "gui.promise_kept" : "gui.promise_broken") : std::string()};
}

/// A box around what `draw` draws, filled with a tint of `ink` or neutral with an edge of it; its height follows.
template <class F>
void tinted(Ui& ui, report::Rgb ink, F draw_content, bool filled = true) {
  auto& draw = *ImGui::GetWindowDrawList();
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, pad = ui.px(12);
  draw.ChannelsSplit(2);
  draw.ChannelsSetCurrent(1);
  ImGui::SetCursorScreenPos({start.x + pad, start.y + ui.px(10)});
  ImGui::BeginGroup();
  draw_content(width - 2 * pad);
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y + ui.px(10);
  draw.ChannelsSetCurrent(0);
  draw.AddRectFilled(start, {start.x + width, bottom}, colour(filled ? mix(ui.palette().panel, ink, 0.16f) : ui.palette().raised), ui.px(6));
  if (!filled) draw.AddRectFilled(start, {start.x + ui.px(4), bottom}, colour(ink), ui.px(2));
  draw.ChannelsMerge();
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({width, bottom - start.y});
}

void headline(Ui& ui, Sign at, const std::string& words, float width) {
  const ImVec2 here = ImGui::GetCursorScreenPos();
  const float row = compat::font_size(ui.fonts.body);
  draw_icon(*ImGui::GetWindowDrawList(), at.icon, {here.x + ui.px(7), here.y + row / 2}, ui.px(13), colour(at.ink));
  ImGui::SetCursorScreenPos({here.x + ui.px(24), here.y});
  paragraph(ui, ui.fonts.body, at.ink, words, width - ui.px(24));
  ImGui::SetCursorScreenPos({here.x, ImGui::GetCursorScreenPos().y});
}

}  // namespace

float verdict_strip_width(Ui& ui, App& app) {
  const auto shown = strip(ui, app);
  if (!shown) return 0;
  return ui.px(24) + width_of(ui.fonts.body, shown->word) + (shown->promise.empty() ? 0 : ui.px(10) + width_of(ui.fonts.small, shown->promise));
}

void draw_verdict_strip(Ui& ui, App& app) {
  const auto shown = strip(ui, app);
  if (!shown) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float row = ui.px(28), middle = at.y + row / 2;
  if (ImGui::InvisibleButton("verdict", {verdict_strip_width(ui, app), row})) {
    app.model.tab = Tab::code;
    app.seek_verdict = true;
  }
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  tooltip(ui, ui.text("gui.verdict_tip") + "\n" + app.conditions(ui.text));  // in a low window it stands in their place
  draw_icon(*ImGui::GetWindowDrawList(), shown->sign.icon, {at.x + ui.px(8), middle}, ui.px(13), colour(shown->sign.ink));
  const float x = at.x + ui.px(24);
  draw_text(ui.fonts.body, {x, middle - compat::font_size(ui.fonts.body) / 2}, colour(shown->sign.ink), shown->word);
  draw_text(ui.fonts.small, {x + width_of(ui.fonts.body, shown->word) + ui.px(10), middle - compat::font_size(ui.fonts.small) / 2}, colour(ui.palette().muted), shown->promise);
}

void draw_verdict(Ui& ui, App& app) {
  const auto& p = ui.palette();
  if (const auto& error = app.session.error()) {
    tinted(ui, p.bad, [&](float width) {
      headline(ui, {Icon::cross, p.bad}, ui.text("gui.could_not"), width);
      paragraph(ui, ui.fonts.small, p.text, ui.text(*error), width);
    });
    return;
  }
  const auto* demo = app.model.demo();
  if (app.shows_file()) {
    tinted(ui, p.accent, [&](float width) {
      paragraph(ui, ui.fonts.small, p.muted, ui.text(is_simulated(app.session.trace()->run) ? "gui.no_verdict_of_schedule" : "gui.no_verdict_of_file"), width);
      if (!app.file_demo()) return;
      line(ui, ui.fonts.small, p.muted, ui.text("gui.claim"));
      paragraph(ui, ui.fonts.small, p.text, app.file_demo()->claim.in(ui.text.language()), width);
    });
    return;
  }
  if (!app.session.run()) {
    if (!demo) return;
    // Before a run: the claim that it will support or refute.
    tinted(ui, p.accent, [&](float width) {
      line(ui, ui.fonts.small, p.muted, ui.text("gui.claim"));
      paragraph(ui, ui.fonts.small, p.text, demo->claim.in(ui.text.language()), width);
    });
    return;
  }
  if (app.session.running()) {
    tinted(ui, p.accent, [&](float width) {
      headline(ui, {Icon::play, p.accent}, ui.text("gui.running"), width);
      paragraph(ui, ui.fonts.small, p.text, app.session.run()->demo().claim.in(ui.text.language()), width);
    });
    return;
  }
  const auto& result = *app.session.result();
  const auto at = sign(ui, result.verdict);
  const bool judged = result.verdict != analysis::Verdict::not_run && result.promised.has_value();
  tinted(ui, judged ? (result.not_shown ? p.unsure : result.as_promised ? p.good : p.bad) : at.ink, [&](float width) {
    headline(ui, at, ui.text(check::verdict_id(result)), width);
    if (result.not_shown) headline(ui, {Icon::question, p.unsure}, ui.text("gui.not_shown"), width);
    else if (judged)
      headline(ui, {result.as_promised ? Icon::check : Icon::cross, result.as_promised ? p.good : p.bad},
               ui.text(result.as_promised ? "gui.as_promised" : "gui.not_as_promised", {{"verdict", ui.text(check::verdict_id(result, *result.promised))}}), width);
    if (const auto says = report::run_sentence(app.session.run()->demo(), result, ui.text); !says.empty()) paragraph(ui, ui.fonts.small, p.text, says, width);
    for (const auto& warning : result.warnings) paragraph(ui, ui.fonts.small, p.unsure, ui.text(warning), width);
    if (!result.why.id.empty()) paragraph(ui, ui.fonts.small, p.text, ui.text(result.why), width);
    int index = 0;
    for (const auto& finding : result.findings)
      if (const trace::SpanId chosen = draw_finding(ui, finding, index++, width); chosen != trace::kNoIndex) app.selected = chosen;
  }, result.verdict == analysis::Verdict::pass || !judged);
}

}  // namespace p2plab::gui
