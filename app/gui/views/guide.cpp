// The guide: one step's words, where in the tour it stands, back and next.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/gui/imgui_compat.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"
#include "app/report/wrap.h"

namespace p2plab::gui {
namespace {

constexpr float kButtons = 196;

float text_width(const Ui& ui, float width) { return width - ui.px(32) - ui.px(kButtons) - ui.px(16); }

}  // namespace

float guide_height(const Ui& ui, const App& app, float width, bool low) {
  const auto* step = app.model.step();
  if (!step) return 0;
  if (low) {
    const auto lines = report::wrap(step->say.in(ui.text.language()), width - ui.px(24), [&](std::string_view text) { return width_of(ui.fonts.small, text); });
    return ui.px(26 + 12) + ImGui::GetStyle().ItemSpacing.y + compat::font_size(ui.fonts.small) * 1.12f * static_cast<float>(lines.size());
  }
  const auto lines = report::wrap(step->say.in(ui.text.language()), text_width(ui, width), [&](std::string_view text) { return width_of(ui.fonts.body, text); });
  return std::max(ui.px(84), ui.px(40) + compat::font_size(ui.fonts.body) * 1.12f * static_cast<float>(lines.size()) + ui.px(16));
}

void draw_guide(Ui& ui, App& app, Rect rect, bool low) {
  const auto* tour = app.model.walkthrough();
  const auto* step = app.model.step();
  if (!tour || !step) return;
  const auto& p = ui.palette();
  if (low) ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(12), ui.px(4)));
  begin_panel(ui, "guide", rect, low);
  if (low) ImGui::PopStyleVar();
  const ImVec2 corner = ImGui::GetWindowPos();
  ImGui::GetWindowDrawList()->PushClipRect(corner, {corner.x + rect.w, corner.y + rect.h});
  ImGui::GetWindowDrawList()->AddRectFilled({corner.x, corner.y + ui.px(6)}, {corner.x + ui.px(2), corner.y + rect.h - ui.px(6)}, colour(p.accent));
  ImGui::GetWindowDrawList()->PopClipRect();
  const std::size_t count = tour->steps.size(), at = app.model.step_index();
  const std::string where = tour->title.in(ui.text.language()) + "  " + std::to_string(at + 1) + " / " + std::to_string(count);
  const bool last = at + 1 == count;
  bool leave = false, next = false, back = false;
  if (low) {  // quiet buttons in one line, then the words over the whole width
    next = button(ui, "next", ui.text(last ? "gui.finish" : "gui.next"), true);
    tooltip(ui, ui.text("gui.next_tip"));
    ImGui::SameLine(0, ui.px(6));
    back = button(ui, "back", ui.text("gui.back"));
    tooltip(ui, ui.text("gui.back_tip"));
    ImGui::SameLine(0, ui.px(6));
    leave = button(ui, "leave", std::to_string(at + 1) + " / " + std::to_string(count), false, Icon::cross);
    tooltip(ui, ui.text("gui.leave_guide") + ": " + where);
    paragraph(ui, ui.fonts.small, p.text, step->say.in(ui.text.language()));
  } else {
    line(ui, ui.fonts.small, p.muted, where, text_width(ui, rect.w));
    paragraph(ui, ui.fonts.body, p.text, step->say.in(ui.text.language()), text_width(ui, rect.w));
    const float right = rect.w - ui.px(16), top = ui.px(12);
    ImGui::SetCursorPos({right - ui.px(kButtons), top});
    back = primary_button(ui, "back", Icon::none, ui.text("gui.back"), {ui.px(76), ui.px(34)}, true);
    tooltip(ui, ui.text("gui.back_tip"));
    ImGui::SetCursorPos({right - ui.px(kButtons - 84), top});
    next = primary_button(ui, "next", Icon::none, ui.text(last ? "gui.finish" : "gui.next"), {ui.px(112), ui.px(34)});
    tooltip(ui, ui.text("gui.next_tip"));
    const std::string close = ui.text("gui.leave_guide");
    ImGui::SetCursorPos({right - button_width(ui, close), top + ui.px(42)});
    if (rect.h > ui.px(80)) leave = button(ui, "leave", close);
  }

  next = next || ui.pressed(GLFW_KEY_N) || ui.pressed(GLFW_KEY_PAGE_DOWN);
  back = back || ui.pressed(GLFW_KEY_P) || ui.pressed(GLFW_KEY_PAGE_UP);
  end_panel();
  if (leave || (next && last)) app.model.leave_walkthrough();
  else if (next) app.enter(app.model.next());
  else if (back) app.enter(app.model.back());
}

}  // namespace p2plab::gui
