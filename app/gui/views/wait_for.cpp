// Who waits for whom, drawn: the cycle is highlighted and each edge says the call, its size and its line.
#include <algorithm>
#include <cmath>

#include "app/gui/imgui_compat.h"
#include "app/gui/model/wait_drawing.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"
#include "app/report/quantity.h"
#include "app/report/words.h"

namespace p2plab::gui {
namespace {

struct NodeBox {
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

/// Where and how the graph is drawn.
struct Graph {
  ImVec2 middle;
  float widest_bend = 0;  ///< of a pair of edges, so that their words stay in sight
  bool calls = true;      ///< edges say their call
  bool lanes = true;      ///< nodes say their lane
  bool words = true;      ///< nodes say "rank 3", not "3"
};

/// Around a rectangle, at even distances: part 0 is the middle of the left side.
ImVec2 on_rectangle(float part, ImVec2 middle, float rx, float ry) {
  const float all = 4 * (rx + ry);
  float way = part * all + ry;  // from the lower left corner upwards
  if (way >= all) way -= all;
  if (way < 2 * ry) return {middle.x - rx, middle.y + ry - way};
  way -= 2 * ry;
  if (way < 2 * rx) return {middle.x - rx + way, middle.y - ry};
  way -= 2 * rx;
  if (way < 2 * ry) return {middle.x + rx, middle.y - ry + way};
  return {middle.x + rx - (way - 2 * ry), middle.y + ry};
}

void draw_edge(Ui& ui, App& app, const WaitEdgeDrawing& edge, const NodeBox& from, const NodeBox& to, const Graph& graph, int index) {
  const auto& p = ui.palette();
  auto& draw = *ImGui::GetWindowDrawList();
  const report::Rgb ink = edge.in_cycle ? p.bad : p.muted;
  // Bent away from the straight line when there is an edge back, and outwards on a ring.
  ImVec2 mid{(from.centre.x + to.centre.x) / 2, (from.centre.y + to.centre.y) / 2};
  const float dx = to.centre.x - from.centre.x, dy = to.centre.y - from.centre.y, length = std::max(1.0f, std::hypot(dx, dy));
  const float bend = edge.both_ways ? std::min({ui.px(72), length * 0.4f, graph.widest_bend}) : std::min(ui.px(10), length * 0.1f);
  ImVec2 control{mid.x + dy / length * bend, mid.y - dx / length * bend};
  if (!edge.both_ways && std::hypot(control.x - graph.middle.x, control.y - graph.middle.y) < std::hypot(mid.x - graph.middle.x, mid.y - graph.middle.y))
    control = {mid.x - dy / length * bend, mid.y + dx / length * bend};
  float t0 = 0, t1 = 1;
  while (t0 < 0.5f && from.has(bezier(from.centre, control, to.centre, t0))) t0 += 0.01f;
  while (t1 > 0.5f && to.has(bezier(from.centre, control, to.centre, t1))) t1 -= 0.01f;
  constexpr int kSegments = 24;
  for (int i = 0; i <= kSegments; ++i)
    draw.PathLineTo(bezier(from.centre, control, to.centre, t0 + (t1 - t0) * static_cast<float>(i) / kSegments));
  draw.PathStroke(colour(ink), 0, ui.px(edge.in_cycle ? 2 : 1.2f));
  arrow_head(draw, bezier(from.centre, control, to.centre, t1), bezier(from.centre, control, to.centre, t1 - 0.04f), std::min(ui.px(10), length * 0.3f), colour(ink));

  const std::string what = edge_text(edge), where = short_site(edge.site);
  const ImVec2 at = bezier(from.centre, control, to.centre, 0.5f);
  const float width = std::max(width_of(ui.fonts.small, what), width_of(ui.fonts.code, where)), row = compat::font_size(ui.fonts.small);
  const float height = row * (where.empty() ? 1.0f : 2.1f);
  const float spot = std::min(ui.px(8), length * 0.15f);  // without words the middle of the edge is what can be clicked
  const ImVec2 half = graph.calls ? ImVec2(width / 2 + ui.px(6), height / 2 + ui.px(2)) : ImVec2(spot, spot);
  const ImVec2 min{at.x - half.x, at.y - half.y}, max{at.x + half.x, at.y + half.y};
  if (graph.calls) {
    draw.AddRectFilled(min, max, colour(p.panel), ui.px(4));
    draw_text(ui.fonts.small, {at.x - width_of(ui.fonts.small, what) / 2, at.y - height / 2}, colour(edge.in_cycle ? p.text : p.muted), what);
    draw_text(ui.fonts.code, {at.x - width_of(ui.fonts.code, where) / 2, at.y - height / 2 + row * 1.05f}, colour(p.muted), where);
  }
  ImGui::SetCursorScreenPos(min);
  ImGui::PushID(index);
  if (ImGui::InvisibleButton("edge", {max.x - min.x, max.y - min.y})) app.selected = edge.span;
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  tooltip(ui, (graph.calls ? "" : what + "  " + where + "\n") + ui.text(edge.any ? "gui.edge_any" : "gui.edge_tip"));
  ImGui::PopID();
}

void draw_node(Ui& ui, App& app, const WaitNodeDrawing& node, const NodeBox& box, const Graph& graph, int index) {
  const auto& p = ui.palette();
  auto& draw = *ImGui::GetWindowDrawList();
  const ImVec2 min{box.centre.x - box.half.x, box.centre.y - box.half.y}, max{box.centre.x + box.half.x, box.centre.y + box.half.y};
  draw.AddRectFilled(min, max, colour(node.stuck ? mix(p.panel, p.bad, 0.22f) : p.raised), ui.px(6));
  if (node.stuck) draw.AddRect(min, max, colour(p.bad), ui.px(6), 0, ui.px(1.5f));
  const std::string number = std::to_string(node.rank), named = ui.text("report.rank", {{"n", number}});
  const std::string& rank = graph.words ? named : number;
  const std::string lane = node.gone ? ui.text("gui.rank_left") : report::shown_lane(node.lane, ui.text);
  ImFont* const font = graph.lanes ? ui.fonts.body : ui.fonts.small;
  const float row = compat::font_size(font), small = graph.lanes ? compat::font_size(ui.fonts.small) : 0;
  const float top = box.centre.y - (row + small) / 2;
  if (width_of(font, rank) <= 2 * box.half.x) draw_text(font, {box.centre.x - width_of(font, rank) / 2, top}, colour(node.gone ? p.muted : p.text), rank);
  if (graph.lanes) draw_text(ui.fonts.small, {box.centre.x - width_of(ui.fonts.small, lane) / 2, top + row}, colour(p.muted), lane);
  ImGui::SetCursorScreenPos(min);
  ImGui::PushID(1000 + index);
  if (ImGui::InvisibleButton("node", {max.x - min.x, max.y - min.y}) && node.span != trace::kNoIndex) app.selected = node.span;
  if (!graph.lanes) tooltip(ui, named + "  " + lane);
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
  // All of it in sight: with many nodes or little room they are smaller, and an edge says its call when pointed at.
  const std::size_t count = drawing.nodes.size();
  const float rows = std::max(room.y, ui.px(72)), words = compat::font_size(ui.fonts.small) * 2.1f;
  const bool dense = count > 16, small = dense || (count > 2 && rows < ui.px(40 * (static_cast<float>(count) / 2 + 1)));
  const Graph graph_drawn{{start.x + room.x / 2, start.y + rows / 2}, std::max(ui.px(8), rows - words - ui.px(8)), !small, !small, !dense};
  ImVec2 half = small ? ImVec2(ui.px(dense ? 14 : 32), ui.px(dense ? 9 : 11)) : ImVec2(ui.px(46), ui.px(23));
  const float rx = std::min(room.x / 2 - half.x - ui.px(count > 2 ? 24 : 8), ui.px(dense ? 1000 : count > 2 ? 300 : 220));
  const float ry = rows / 2 - half.y - ui.px(4);
  if (dense) half.x = std::min(half.x, 4 * (rx + ry) / static_cast<float>(count) * 0.36f);
  std::vector<NodeBox> boxes;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& node = drawing.nodes[i];
    const ImVec2 round{graph_drawn.middle.x + static_cast<float>(node.x) * rx, graph_drawn.middle.y + static_cast<float>(node.y) * ry};
    boxes.push_back({dense ? on_rectangle(static_cast<float>(i) / static_cast<float>(count), graph_drawn.middle, rx, ry) : round, half});
  }
  int index = 0;
  for (const bool cycle : {false, true})  // the cycle is drawn last, on top
    for (const auto& edge : drawing.edges)
      if (edge.in_cycle == cycle && edge.from != edge.to) draw_edge(ui, app, edge, boxes[edge.from], boxes[edge.to], graph_drawn, index++);
  index = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) draw_node(ui, app, drawing.nodes[i], boxes[i], graph_drawn, index++);
  ImGui::SetCursorScreenPos({start.x, start.y + rows});
}

}  // namespace p2plab::gui
