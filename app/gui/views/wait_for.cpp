// Who waits for whom, drawn: the cycle is highlighted and each edge says the call, its size and its line.
#include <algorithm>
#include <cmath>

#include "app/gui/imgui_compat.h"
#include "app/gui/model/wait_drawing.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"
#include "app/report/quantity.h"

namespace p2plab::gui {
namespace {

struct Box {
  ImVec2 centre, half;
  bool has(ImVec2 p) const { return std::abs(p.x - centre.x) <= half.x && std::abs(p.y - centre.y) <= half.y; }
};

ImVec2 bezier(ImVec2 a, ImVec2 b, ImVec2 c, float t) {
  const float s = 1 - t;
  return {s * s * a.x + 2 * s * t * b.x + t * t * c.x, s * s * a.y + 2 * s * t * b.y + t * t * c.y};
}

void arrow_head(ImDrawList& draw, ImVec2 tip, ImVec2 from, float size, ImU32 ink) {
  const float dx = tip.x - from.x, dy = tip.y - from.y, length = std::max(1e-3f, std::hypot(dx, dy));
  const ImVec2 u{dx / length * size, dy / length * size};
  draw.AddTriangleFilled(tip, {tip.x - u.x + u.y * 0.5f, tip.y - u.y - u.x * 0.5f}, {tip.x - u.x - u.y * 0.5f, tip.y - u.y + u.x * 0.5f}, ink);
}

std::string edge_text(const WaitEdgeDrawing& edge) {
  std::string out = edge.call;
  if (edge.bytes) out += " · " + report::bytes(edge.bytes);
  return out;
}

/// Only the file's name: the folder is the demo's own.
std::string short_site(const std::string& site) { return site.substr(site.find_last_of('/') + 1); }

void draw_edge(Ui& ui, App& app, const WaitEdgeDrawing& edge, const Box& from, const Box& to, ImVec2 middle_of_all, int index) {
  const auto& p = ui.palette();
  auto& draw = *ImGui::GetWindowDrawList();
  const report::Rgb ink = edge.in_cycle ? p.bad : p.muted;
  // Bent away from the straight line when there is an edge back, and outwards on a ring.
  ImVec2 mid{(from.centre.x + to.centre.x) / 2, (from.centre.y + to.centre.y) / 2};
  const float dx = to.centre.x - from.centre.x, dy = to.centre.y - from.centre.y, length = std::max(1.0f, std::hypot(dx, dy));
  const float bend = edge.both_ways ? std::min(ui.px(72), length * 0.4f) : ui.px(10);
  ImVec2 control{mid.x + dy / length * bend, mid.y - dx / length * bend};
  if (!edge.both_ways && std::hypot(control.x - middle_of_all.x, control.y - middle_of_all.y) < std::hypot(mid.x - middle_of_all.x, mid.y - middle_of_all.y))
    control = {mid.x - dy / length * bend, mid.y + dx / length * bend};
  float t0 = 0, t1 = 1;
  while (t0 < 0.5f && from.has(bezier(from.centre, control, to.centre, t0))) t0 += 0.01f;
  while (t1 > 0.5f && to.has(bezier(from.centre, control, to.centre, t1))) t1 -= 0.01f;
  constexpr int kSegments = 24;
  for (int i = 0; i <= kSegments; ++i)
    draw.PathLineTo(bezier(from.centre, control, to.centre, t0 + (t1 - t0) * static_cast<float>(i) / kSegments));
  draw.PathStroke(colour(ink), 0, ui.px(edge.in_cycle ? 2 : 1.2f));
  arrow_head(draw, bezier(from.centre, control, to.centre, t1), bezier(from.centre, control, to.centre, t1 - 0.04f), ui.px(10), colour(ink));

  const std::string what = edge_text(edge), where = short_site(edge.site);
  const ImVec2 at = bezier(from.centre, control, to.centre, 0.5f);
  const float width = std::max(width_of(ui.fonts.small, what), width_of(ui.fonts.code, where)), row = compat::font_size(ui.fonts.small);
  const float height = row * (where.empty() ? 1.0f : 2.1f);
  const ImVec2 min{at.x - width / 2 - ui.px(6), at.y - height / 2 - ui.px(2)};
  const ImVec2 max{at.x + width / 2 + ui.px(6), at.y + height / 2 + ui.px(2)};
  draw.AddRectFilled(min, max, colour(p.panel), ui.px(4));
  draw_text(ui.fonts.small, {at.x - width_of(ui.fonts.small, what) / 2, at.y - height / 2}, colour(edge.in_cycle ? p.text : p.muted), what);
  draw_text(ui.fonts.code, {at.x - width_of(ui.fonts.code, where) / 2, at.y - height / 2 + row * 1.05f}, colour(p.muted), where);
  ImGui::SetCursorScreenPos(min);
  ImGui::PushID(index);
  if (ImGui::InvisibleButton("edge", {max.x - min.x, max.y - min.y})) app.selected = edge.span;
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  tooltip(ui, ui.text(edge.any ? "gui.edge_any" : "gui.edge_tip"));
  ImGui::PopID();
}

void draw_node(Ui& ui, App& app, const WaitNodeDrawing& node, const Box& box, int index) {
  const auto& p = ui.palette();
  auto& draw = *ImGui::GetWindowDrawList();
  const ImVec2 min{box.centre.x - box.half.x, box.centre.y - box.half.y}, max{box.centre.x + box.half.x, box.centre.y + box.half.y};
  draw.AddRectFilled(min, max, colour(node.stuck ? mix(p.panel, p.bad, 0.22f) : p.raised), ui.px(6));
  if (node.stuck) draw.AddRect(min, max, colour(p.bad), ui.px(6), 0, ui.px(1.5f));
  const std::string rank = ui.text("report.rank", {{"n", std::to_string(node.rank)}});
  const std::string lane = node.gone ? ui.text("gui.rank_left") : node.lane;
  const float body = compat::font_size(ui.fonts.body), small = compat::font_size(ui.fonts.small);
  const float top = box.centre.y - (body + small) / 2;
  draw_text(ui.fonts.body, {box.centre.x - width_of(ui.fonts.body, rank) / 2, top}, colour(node.gone ? p.muted : p.text), rank);
  draw_text(ui.fonts.small, {box.centre.x - width_of(ui.fonts.small, lane) / 2, top + body}, colour(p.muted), lane);
  ImGui::SetCursorScreenPos(min);
  ImGui::PushID(1000 + index);
  if (ImGui::InvisibleButton("node", {max.x - min.x, max.y - min.y}) && node.span != trace::kNoIndex) app.selected = node.span;
  ImGui::PopID();
}

}  // namespace

void draw_wait_for(Ui& ui, App& app) {
  const auto* graph = app.session.wait_for();
  const auto* trace = app.session.trace();
  const auto drawing = graph && trace ? draw(*trace, *graph) : WaitDrawing{};
  if (drawing.nodes.empty()) {
    return paragraph(ui, ui.fonts.body, ui.palette().muted,
                     ui.text(!trace ? "gui.wait_empty" : app.session.running() ? "gui.wait_nobody_now" : "gui.wait_nobody"));
  }
  const bool stuck = !graph->stuck.empty();
  paragraph(ui, ui.fonts.small, stuck ? ui.palette().bad : ui.palette().muted,
            ui.text(graph->cycle.empty() ? (stuck ? "gui.wait_left" : "gui.wait_some") : "gui.wait_cycle"));
  const ImVec2 start = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float rows = drawing.nodes.size() > 2 ? std::max(room.y, ui.px(40 * (static_cast<float>(drawing.nodes.size()) / 2 + 1))) : std::max(room.y, ui.px(130));
  const ImVec2 half{ui.px(46), ui.px(23)};
  const ImVec2 middle{start.x + room.x / 2, start.y + rows / 2};
  const float rx = std::min(room.x / 2 - half.x - ui.px(drawing.nodes.size() > 2 ? 24 : 8), ui.px(drawing.nodes.size() > 2 ? 300 : 220));
  const float ry = rows / 2 - half.y - ui.px(4);
  std::vector<Box> boxes;
  for (const auto& node : drawing.nodes)
    boxes.push_back({{middle.x + static_cast<float>(node.x) * rx, middle.y + static_cast<float>(node.y) * ry}, half});
  int index = 0;
  for (const bool cycle : {false, true})  // the cycle is drawn last, on top
    for (const auto& edge : drawing.edges)
      if (edge.in_cycle == cycle && edge.from != edge.to) draw_edge(ui, app, edge, boxes[edge.from], boxes[edge.to], middle, index++);
  index = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) draw_node(ui, app, drawing.nodes[i], boxes[i], index++);
  ImGui::SetCursorScreenPos({start.x, start.y + rows});
}

}  // namespace p2plab::gui
