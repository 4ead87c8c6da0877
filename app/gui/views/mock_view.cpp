// The report of a mock interview, as the files have it, and where to write them.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/gui/views/drill_parts.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"
#include "app/report/mock_report.h"
#include "app/trace/atomic_file.h"

namespace p2plab::gui {
namespace {

void rows(Ui& ui, const std::vector<std::vector<std::string>>& table, float width) {
  if (table.empty()) return;
  // The first column takes what the others leave.
  std::vector<float> widths(table.front().size(), 0);
  for (const auto& row : table)
    for (std::size_t i = 1; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(ui.fonts.small, row[i]) + ui.px(20));
  float rest = width;
  for (std::size_t i = 1; i < widths.size(); ++i) rest -= widths[i];
  for (std::size_t r = 0; r < table.size(); ++r) {
    const ImVec2 at = ImGui::GetCursorPos();
    const auto ink = r == 0 ? ui.palette().muted : ui.palette().text;
    line(ui, ui.fonts.small, ink, table[r][0], rest - ui.px(12));
    float x = at.x + rest;
    for (std::size_t i = 1; i < table[r].size(); ++i) {
      ImGui::SetCursorPos({x, at.y});
      line(ui, ui.fonts.small, ink, table[r][i]);
      x += widths[i];
    }
    ImGui::SetCursorPos({at.x, at.y + ui.px(20)});
  }
  ImGui::Dummy({1, 1});
}

void save(Ui& ui, App& app, const char* extension) {
  const std::string file = "p2plab-mock-" + std::to_string(app.drill.mock()->seed()) + extension;
  const bool html = std::string_view(extension) == ".html";
  try {
    trace::write_file(file, html ? report::mock_html(*app.drill.mock(), app.drill.cards(), ui.text) : report::mock_markdown(*app.drill.mock(), app.drill.cards(), ui.text));
    app.notice = ui.text("gui.wrote", {{"file", file}});
  } catch (const Error& error) {
    app.notice = ui.text(error);
  }
  app.notice_until = ui.seconds + 4;
}

}  // namespace

void draw_mock_report(Ui& ui, App& app, Rect rect) {
  const auto& p = ui.palette();
  begin_panel(ui, "mock-report", rect, false);
  line(ui, ui.fonts.title, p.text, ui.text("mock.title"));
  const ImVec2 from = ImGui::GetCursorPos();
  const float foot = ui.px(40), height = rect.h - from.y - foot - ui.px(12);
  begin_area(ui, "mock-body", {from.x, from.y, ImGui::GetContentRegionAvail().x, height}, false, true);
  const float width = std::min(ImGui::GetContentRegionAvail().x - ui.px(8), ui.px(860));
  scroll_by_keys(ui);
  for (const auto& part : report::mock_parts(*app.drill.mock(), app.drill.cards(), ui.text)) {
    ImGui::Dummy({1, ui.px(8)});
    line(ui, ui.fonts.body, p.accent, part.heading, width);
    for (const auto& text : part.lines) paragraph(ui, ui.fonts.body, p.text, text, width);
    for (const auto& [what, command] : part.items) {
      paragraph(ui, ui.fonts.body, p.text, "· " + what, width);
      if (!command.empty()) line(ui, ui.fonts.code, p.muted, command, width);
    }
    rows(ui, part.rows, width);
  }
  end_area();
  ImGui::SetCursorPos({from.x, from.y + height + ui.px(6)});
  if (key_button(ui, "html", "H", ui.text("drill.gui_html")) || ui.pressed(GLFW_KEY_H)) save(ui, app, ".html");
  flow(ui, "D", ui.text("drill.gui_markdown"), rect.w);
  if (key_button(ui, "markdown", "D", ui.text("drill.gui_markdown")) || ui.pressed(GLFW_KEY_D)) save(ui, app, ".md");
  flow(ui, "Esc", ui.text("drill.gui_leave"), rect.w);
  if (key_button(ui, "leave", "Esc", ui.text("drill.gui_leave"))) app.drill.leave();
  end_panel();
}

}  // namespace p2plab::gui
