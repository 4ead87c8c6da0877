// The place of saved traces: a path to type, or a file dropped on the window.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/gui/imgui_compat.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"
#include "app/gui/widgets/text_field.h"

namespace p2plab::gui {

void draw_traces(Ui& ui, App& app, Rect rect, int lines) {
  const auto& p = ui.palette();
  begin_area(ui, "traces", rect);
  ImGui::SetCursorPos({ui.px(8), ui.px(8)});
  const bool open = !app.session.file().empty();
  line(ui, ui.fonts.title, p.text, open ? app.session.file().filename().string() : ui.text("place.traces"), rect.w - ui.px(16));
  ImGui::SetCursorPos({ui.px(8), ui.px(42)});
  if (open) draw_conditions(ui, app, rect.w - ui.px(16), lines);
  else line(ui, ui.fonts.small, p.muted, ui.text("gui.traces_hint"), rect.w - ui.px(16));
  ImGui::SetCursorPos({ui.px(8), header_height(ui, lines) - ui.px(32)});
  const float width = std::min(ui.px(520), rect.w - ui.px(120) - (app.session.run() ? button_width(ui, ui.text("gui.save_trace")) : 0));
  const bool focus = app.focus_path;
  if (focus) {
    ImGui::SetKeyboardFocusHere();
    app.focus_path = false;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ui.px(12), ui.px(4)));
  const bool entered = text_line("##path", ui.text("gui.path_hint").c_str(), app.path_field, width);
  ImGui::PopStyleVar();
  ImGui::SameLine();
  if ((button(ui, "open", ui.text("gui.open")) || entered) && !app.path_field.empty()) app.open(app.path_field);
  if (app.session.run()) {
    ImGui::SameLine();
    if (button(ui, "save", ui.text("gui.save_trace"))) app.save_trace(ui);
    tooltip(ui, ui.text("gui.save_trace_tip"));
  }
  end_area();
}

}  // namespace p2plab::gui
