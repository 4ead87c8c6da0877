// What each rank printed, stdout and stderr, as much as was kept.
#include <algorithm>

#include "app/gui/imgui_compat.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"

namespace p2plab::gui {
namespace {

/// One line of a rank, found without copying all of what it printed.
struct LogLine {
  int rank;
  bool error;
  std::string_view text;
};

void add_lines(std::vector<LogLine>& out, int rank, bool error, std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    out.push_back({rank, error, text.substr(0, end)});
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

void draw_log(Ui& ui, App& app) {
  const auto* run = app.session.run();
  const auto& p = ui.palette();
  if (!run) return paragraph(ui, ui.fonts.body, p.muted, ui.text("gui.log_empty"));
  const int ranks = run->request().ranks;
  if (button(ui, "all", ui.text("gui.all_ranks"), !app.only_rank)) app.only_rank = false;
  for (int rank = 0; rank < std::min(ranks, 16); ++rank) {
    ImGui::SameLine(0, ui.px(6));
    if (button(ui, ("rank" + std::to_string(rank)).c_str(), std::to_string(rank), app.only_rank && app.log_rank == rank)) {
      app.only_rank = true;
      app.log_rank = rank;
    }
  }
  ImGui::Dummy({1, ui.px(2)});

  std::vector<LogLine> lines;
  std::vector<std::string> cuts;
  cuts.reserve(static_cast<std::size_t>(ranks) * 2);
  for (int rank = 0; rank < ranks; ++rank) {
    if (app.only_rank && rank != app.log_rank) continue;
    for (const bool error : {false, true}) {
      const auto& output = run->output(rank, error);
      add_lines(lines, rank, error, output.head);
      if (output.cut_bytes > 0) {
        cuts.push_back(ui.text("gui.log_cut", {{"n", std::to_string(output.cut_bytes)}}));
        lines.push_back({rank, error, cuts.back()});
      }
      add_lines(lines, rank, error, output.tail);
    }
  }
  if (lines.empty()) return paragraph(ui, ui.fonts.body, p.muted, ui.text(app.session.running() ? "gui.log_quiet_now" : "gui.log_quiet"));

  begin_area(ui, "lines", {ImGui::GetCursorPosX(), ImGui::GetCursorPosY(), ImGui::GetContentRegionAvail().x, ImGui::GetContentRegionAvail().y}, false, true);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(4)));
  const float gutter = ui.px(92), width = ImGui::GetContentRegionAvail().x - gutter;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines.size()), compat::font_size(ui.fonts.code) + ui.px(4));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const auto& each = lines[static_cast<std::size_t>(i)];
      const ImVec2 at = ImGui::GetCursorScreenPos();
      draw_text(ui.fonts.small, at, colour(each.error ? p.unsure : p.muted), ui.text("report.rank", {{"n", std::to_string(each.rank)}}) + (each.error ? " err" : " out"));
      ImGui::SetCursorScreenPos({at.x + gutter, at.y});
      line(ui, ui.fonts.code, p.text, each.text.substr(0, 2000), width);
    }
  ImGui::PopStyleVar();
  end_area();
}

}  // namespace p2plab::gui
