// Places whose content comes later: what each will hold, and what to do now.
#include <algorithm>

#include "app/gui/imgui_compat.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"

namespace p2plab::gui {

void draw_empty_place(Ui& ui, App& app, Rect rect) {
  const auto& p = ui.palette();
  const std::string id(to_string(app.model.place));
  begin_area(ui, "place", rect);
  const float width = std::min(rect.w - ui.px(32), ui.px(640));
  ImGui::SetCursorPos({ui.px(8), ui.px(8)});
  line(ui, ui.fonts.title, p.text, ui.text("place." + id));
  ImGui::SetCursorPos({ui.px(8), ui.px(56)});
  ImGui::BeginGroup();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), ui.px(12)));
  paragraph(ui, ui.fonts.body, p.text, ui.text("later." + id), width);
  paragraph(ui, ui.fonts.body, p.muted, ui.text("later.now"), width);
  if (primary_button(ui, "to-demos", Icon::play, ui.text("gui.to_demos"), {ui.px(220), ui.px(36)})) app.model.place = Place::demos;
  ImGui::PopStyleVar();
  ImGui::EndGroup();
  end_area();
}

}  // namespace p2plab::gui
