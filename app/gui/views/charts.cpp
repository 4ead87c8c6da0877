// What a demo measured, drawn by the charts' one module; pointing at a mark says its numbers.
#include <algorithm>

#include "app/check/links.h"
#include "app/gui/model/copied.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"
#include "app/gui/widgets/imgui_canvas.h"
#include "app/report/moved_canvas.h"
#include "app/report/result_charts.h"

namespace p2plab::gui {
namespace {

const check::DemoManifest* demo_of(const App& app) {
  if (app.session.run()) return &app.session.run()->demo();
  return app.file_demo();
}

const nlohmann::ordered_json* metrics_of(const App& app) {
  if (!app.session.run()) return app.file_demo() ? &app.file_metrics : nullptr;
  return app.session.result() ? &app.session.result()->metrics : nullptr;
}

/// Side by side where there is room for it: charts that are wider than they need say no more.
std::size_t columns_for(std::size_t charts, double width) {
  constexpr double kLeast = 430;
  return std::clamp<std::size_t>(static_cast<std::size_t>(width / kLeast), 1, charts);
}

/// Says what the mouse points at; a click copies it.
void point_at(Ui& ui, App& app, const report::Chart& chart, const report::MovedCanvas& canvas, const std::vector<report::ChartSpot>& spots) {
  if (!ImGui::IsWindowHovered()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (auto spot = spots.rbegin(); spot != spots.rend(); ++spot) {
    const report::Box at = canvas.moved(spot->box);
    if (mouse.x < at.x0 || mouse.x > at.x1 || mouse.y < at.y0 || mouse.y > at.y1) continue;
    ImGui::BeginTooltip();
    paragraph(ui, ui.fonts.small, ui.palette().text, spot->words, ui.px(360));
    paragraph(ui, ui.fonts.small, ui.palette().muted, ui.text("gui.copy_spot"), ui.px(360));
    ImGui::EndTooltip();
    if (ImGui::IsMouseClicked(0)) app.copy(ui, as_text(chart, *spot, app.conditions(ui.text)));
    return;
  }
}

bool stretches(const report::Chart& chart) { return chart.kind == report::Chart::Kind::lines || chart.kind == report::Chart::Kind::graph; }

/// All charts into what the current panel has left, row by row; it scrolls when they need more.
void draw_rows(Ui& ui, App& app, const std::vector<report::Chart>& charts) {
  constexpr double kGap = 24, kBelow = 28;
  const ImVec2 room = ImGui::GetContentRegionAvail(), start = ImGui::GetCursorScreenPos();
  const double scale = ui.px(1), width = (room.x - ui.px(14)) / scale;
  const std::size_t across = columns_for(charts.size(), width);
  const double each = (width - kGap * static_cast<double>(across - 1)) / static_cast<double>(across);
  ImguiCanvas window(ui, ImGui::GetWindowDrawList());
  report::MovedCanvas canvas(window, start.x, start.y, scale);
  double y = 0;
  for (std::size_t first = 0; first < charts.size(); first += across) {
    const std::size_t last = std::min(first + across, charts.size());
    // What can be of any height is as high as what is in sight; bars and matrices need what they need.
    double tall = room.y / scale - 8;
    for (std::size_t i = first; i < last; ++i) tall = std::max(tall, report::least_chart_height(charts[i], each));
    for (std::size_t i = first; i < last; ++i) {
      const double x = static_cast<double>(i - first) * (each + kGap);
      const double own = stretches(charts[i]) ? tall : report::chart_height(charts[i], each);
      point_at(ui, app, charts[i], canvas, report::draw_chart(canvas, charts[i], {x, y, x + each, y + own}));
    }
    y += tall + kBelow;
  }
  ImGui::Dummy({room.x - ui.px(14), static_cast<float>((y - kBelow) * scale)});
}

}  // namespace

bool has_charts(const App& app) {
  const auto* demo = demo_of(app);
  return demo && !demo->results.charts.empty();
}

bool draw_charts(Ui& ui, App& app) {
  const auto* demo = demo_of(app);
  const auto* metrics = metrics_of(app);
  if (!demo || !metrics || !metrics->is_object()) return false;
  static const auto links = check::load_links(app.session.installation().assets() / "links.toml");
  const auto charts = report::result_charts(*demo, *metrics, links, ui.text);
  if (charts.empty()) return false;

  ImGui::BeginChild("charts", ImGui::GetContentRegionAvail(), false);
  draw_rows(ui, app, charts);
  ImGui::EndChild();
  return true;
}

}  // namespace p2plab::gui
