// What is selected, with every argument that was recorded.
#include <algorithm>

#include "app/gui/imgui_compat.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"
#include "app/report/describe.h"
#include "app/report/words.h"

namespace p2plab::gui {

void draw_selection(Ui& ui, App& app) {
  const auto& p = ui.palette();
  const auto* trace = app.session.trace();
  const bool any = trace && app.selected < trace->spans().size();
  if (!any) {
    line(ui, ui.fonts.body, p.text, ui.text("gui.selection"));
    return paragraph(ui, ui.fonts.small, p.muted, ui.text("gui.selection_empty"));
  }
  const auto& span = trace->span(app.selected);
  const auto& track = trace->tracks()[span.track];
  std::string title = ui.text("gui.selected") + "  " + report::shown_label(*trace, span, ui.text) + "  " + ui.text("report.rank", {{"n", std::to_string(track.rank)}});
  if (span.peer != trace::kNone) title += (span.kind == trace::Kind::receive ? " ← " : " → ") + std::to_string(span.peer);
  line(ui, ui.fonts.body, p.text, title, ImGui::GetContentRegionAvail().x);
  const auto facts = report::describe(*trace, app.selected, ui.text);
  const float left = ImGui::GetCursorPosX(), names = ui.px(88), width = ImGui::GetContentRegionAvail().x;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), ui.px(6)));
  std::string copied = title + "\n";
  for (const auto& [name, value] : facts) {
    copied += name + ": " + value + "\n";
    line(ui, ui.fonts.small, p.muted, name, names - ui.px(8));
    ImGui::SameLine();
    ImGui::SetCursorPosX(left + names);
    line(ui, ui.fonts.small, p.text, value, width - names);
  }
  ImGui::PopStyleVar();
  if (button(ui, "copy-selection", ui.text("gui.copy"), false, Icon::copy)) app.copy(ui, copied + app.conditions(ui.text));
}

}  // namespace p2plab::gui
