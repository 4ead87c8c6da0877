// The drill's first page: what is due, the interview's date, the mock interview, the chart of calibration.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <fmt/format.h>

#include "app/gui/views/drill_parts.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"
#include "app/report/mock_report.h"

namespace p2plab::gui {
namespace {

/// One topic: its title, how many cards, how many of them are due or new.
bool topic_row(const Ui& ui, const char* id, const std::string& title, const std::string& counts, bool chosen, float width) {
  const auto& p = ui.palette();
  const float height = ui.px(28);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id, {width, height});
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (chosen || hovered) ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + height}, colour(p.raised, chosen ? 1.0f : 0.5f), ui.px(6));
  if (chosen) ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + ui.px(2), at.y + height}, colour(p.accent));
  const float right = width_of(ui.fonts.small, counts);
  draw_text(ui.fonts.small, {at.x + width - right - ui.px(10), at.y + ui.px(7)}, colour(p.muted), counts);
  draw_text(ui.fonts.body, {at.x + ui.px(12), at.y + ui.px(5)}, colour(chosen ? p.text : p.muted), cut_label(ui, title, width - right - ui.px(40)));
  return clicked;
}

void topics(Ui& ui, Drill& drill, float width) {
  const auto& all = drill.cards().topics();
  const int count = static_cast<int>(all.size()) + 1;
  const std::size_t before = drill.chosen;
  if (ui.pressed(GLFW_KEY_DOWN)) drill.chosen = static_cast<std::size_t>((static_cast<int>(drill.chosen) + 1) % count);
  if (ui.pressed(GLFW_KEY_UP)) drill.chosen = static_cast<std::size_t>((static_cast<int>(drill.chosen) + count - 1) % count);
  for (std::size_t i = 0; i < all.size() + 1; ++i) {
    std::size_t cards = 0, seen = 0;
    for (const auto& card : drill.cards().all()) {
      if (i > 0 && card.topic != all[i - 1].id) continue;
      ++cards;
      seen += drill.deck().state(card).memory ? 1 : 0;
    }
    const std::string counts = ui.text("drill.gui_counts", {{"seen", std::to_string(seen)}, {"n", std::to_string(cards)}});
    if (topic_row(ui, ("topic" + std::to_string(i)).c_str(), i == 0 ? ui.text("drill.gui_all") : all[i - 1].title.in(ui.text.language()), counts, i == drill.chosen, width)) drill.chosen = i;
    if (drill.chosen != before && i == drill.chosen) ImGui::SetScrollHereY(0.5f);
  }
}

void interview_date(Ui& ui, Drill& drill, float width) {
  const auto day = drill.interview();
  const int ahead = day ? static_cast<int>((*day - content::today()).count()) : 0;
  line(ui, ui.fonts.small, ui.palette().muted, day ? ui.text("drill.gui_date", {{"day", content::to_string(*day)}, {"n", std::to_string(ahead)}}) : ui.text("drill.gui_no_date"), width);
  const std::string later = ui.text(day ? "drill.gui_later" : "drill.gui_in_a_week");
  if (key_button(ui, "later", "+", later) || ui.typed('+') || ui.typed('=')) drill.set_interview_in(day ? ahead + 1 : 7);
  if (!day) return;
  flow(ui, "−", ui.text("drill.gui_sooner"), width);
  if (key_button(ui, "sooner", "−", ui.text("drill.gui_sooner")) || ui.typed('-')) drill.set_interview_in(ahead - 1);
}

/// How long a drill takes, and by which seed cards and interviews are drawn.
void settings(Ui& ui, Drill& drill, float width) {
  const std::string longer = ui.text("drill.gui_minutes", {{"n", std::to_string(drill.minutes)}}), seed = ui.text("drill.gui_seed", {{"n", std::to_string(drill.seed)}});
  if (key_button(ui, "shorter", "←", "−5") || ui.pressed(GLFW_KEY_LEFT)) drill.take_minutes(-5);
  ImGui::SameLine(0, ui.px(8));
  if (key_button(ui, "longer", "→", "+5  " + longer) || ui.pressed(GLFW_KEY_RIGHT)) drill.take_minutes(+5);
  flow(ui, "N", seed, width);
  if (key_button(ui, "seed", "N", seed) || ui.pressed(GLFW_KEY_N)) ++drill.seed;
  tooltip(ui, ui.text("drill.gui_seed_tip"));
}

}  // namespace

void draw_drill_home(Ui& ui, App& app, Rect rect) {
  Drill& drill = app.drill;
  const auto& p = ui.palette();
  const bool wide = rect.w > ui.px(760);
  const Rect left{rect.x, rect.y, wide ? rect.w * 0.52f : rect.w, rect.h};
  begin_panel(ui, "drill-home", left);
  const float width = ImGui::GetContentRegionAvail().x - ui.px(4);
  line(ui, ui.fonts.title, p.text, ui.text("place.drill"));
  ImGui::Dummy({1, ui.px(4)});
  const std::string topic = drill.chosen == 0 ? "" : drill.cards().topics()[drill.chosen - 1].id;
  const auto plan = drill.plan(topic);
  paragraph(ui, ui.fonts.body, p.muted, plan.cards.empty() ? ui.text("drill.nothing_due") : ui.text("drill.gui_plan", {{"due", std::to_string(plan.due)}, {"fresh", std::to_string(plan.fresh)}}), width);
  ImGui::Dummy({1, ui.px(4)});
  const float half = std::min(ui.px(230), (width - ui.px(8)) / 2);
  const bool start = primary_button(ui, "start", Icon::play, ui.text("drill.gui_start"), {half, ui.px(36)});
  tooltip(ui, "Enter");
  ImGui::SameLine(0, ui.px(8));
  const bool mock = primary_button(ui, "mock", Icon::none, ui.text("drill.gui_mock"), {half, ui.px(36)}, true);
  tooltip(ui, "M");
  ImGui::Dummy({1, ui.px(4)});
  settings(ui, drill, width);
  ImGui::Dummy({1, ui.px(8)});
  interview_date(ui, drill, width);
  ImGui::Dummy({1, ui.px(8)});
  topics(ui, drill, width);
  if (drill.not_saved()) paragraph(ui, ui.fonts.small, p.bad, ui.text(*drill.not_saved()), width);

  const auto calibration = [&](float of) {
    if (drill.deck().calibration().empty()) {
      paragraph(ui, ui.fonts.small, p.muted, ui.text("drill.gui_no_calibration"), of);
    } else {
      paragraph(ui, ui.fonts.small, p.muted, ui.text("drill.calibration"), of);
      calibration_chart(ui, drill.deck().calibration(), of, std::min(of * 0.75f, ui.px(300)));
    }
    for (const auto* card : plan.leeches) {
      ImGui::Dummy({1, ui.px(6)});
      paragraph(ui, ui.fonts.small, p.unsure,
                ui.text("drill.leech", {{"n", std::to_string(content::kLeechLapses)}, {"question", card->question.in(ui.text.language())}, {"command", report::shell_words(report::leech_evidence(*card).command())}}), of);
    }
  };
  if (!wide) {
    ImGui::Dummy({1, ui.px(12)});
    calibration(width);
    ImGui::Dummy({1, ui.px(12)});
    draw_exports(ui, app, width);
  }
  end_panel();
  if (wide) {
    begin_panel(ui, "drill-calibration", {left.right() + ui.px(8), rect.y, rect.w - left.w - ui.px(8), rect.h});
    calibration(ImGui::GetContentRegionAvail().x - ui.px(4));
    ImGui::Dummy({1, ui.px(16)});
    draw_exports(ui, app, ImGui::GetContentRegionAvail().x - ui.px(4));
    end_panel();
  }
  if (start || ui.pressed(GLFW_KEY_ENTER) || ui.pressed(GLFW_KEY_KP_ENTER)) {
    drill.start_drill(topic, ui.seconds);
    ui.moving = true;
  } else if (mock || ui.pressed(GLFW_KEY_M)) {
    drill.start_mock(ui.seconds);
    ui.moving = true;
  }
}

}  // namespace p2plab::gui
