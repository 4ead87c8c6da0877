// Who waits for whom, drawn: the cycle is highlighted and each edge says the call, its size and its line.
#include <algorithm>
#include <cmath>

#include "app/gui/imgui_compat.h"
#include "app/gui/model/wait_drawing.h"
#include "app/gui/model/wait_labels.h"
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

std::string edge_text(const Ui& ui, const WaitEdgeDrawing& edge) {
  if (edge.call.empty()) return ui.text("gui.edge_idle");  // a lane that has nothing to do waits for who gives it work
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
  bool lanes = true;      ///< nodes say their lane in a line of its own
  bool words = true;      ///< nodes say "rank 3", not "3"
};

/// An edge as it runs between its boxes.
struct EdgeLine {
  const WaitEdgeDrawing* edge;
  std::vector<WaitPoint> points;
  float length = 0;  ///< between the boxes' middles
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

EdgeLine run_of(Ui& ui, const WaitEdgeDrawing& edge, const NodeBox& from, const NodeBox& to, const Graph& graph) {
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
  EdgeLine out{&edge, {}, length};
  constexpr int kSegments = 24;
  for (int i = 0; i <= kSegments; ++i) {
    const ImVec2 at = bezier(from.centre, control, to.centre, t0 + (t1 - t0) * static_cast<float>(i) / kSegments);
    out.points.push_back({at.x, at.y});
  }
  return out;
}

/// Call and line, the call alone: what may be written on an edge, the fullest first.
LabelWish wish_of(Ui& ui, const EdgeLine& run, const Graph& graph) {
  LabelWish out{run.points, {}};
  if (!graph.calls) return out;
  const std::string what = edge_text(ui, *run.edge), where = short_site(run.edge->site);
  const float row = compat::font_size(ui.fonts.small), call = width_of(ui.fonts.small, what);
  if (!where.empty()) out.sizes.push_back({std::max(call, width_of(ui.fonts.code, where)) + ui.px(12), row * 2.1f + ui.px(4)});
  out.sizes.push_back({call + ui.px(12), row + ui.px(4)});
  return out;
}

void draw_line_of(const Ui& ui, const EdgeLine& run) {
  auto& draw = *ImGui::GetWindowDrawList();
  const report::Rgb ink = run.edge->in_cycle ? ui.palette().bad : ui.palette().muted;
  for (const WaitPoint& at : run.points) draw.PathLineTo({at.x, at.y});
  draw.PathStroke(colour(ink), 0, ui.px(run.edge->in_cycle ? 2 : 1.2f));
  const WaitPoint tip = run.points.back(), before = run.points[run.points.size() - 2];
  arrow_head(draw, {tip.x, tip.y}, {before.x, before.y}, std::min(ui.px(10), run.length * 0.3f), colour(ink));
}

void draw_words_of(Ui& ui, App& app, const EdgeLine& run, const LabelPlace& place, int index) {
  const auto& p = ui.palette();
  auto& draw = *ImGui::GetWindowDrawList();
  const WaitEdgeDrawing& edge = *run.edge;
  const std::string what = edge_text(ui, edge), where = short_site(edge.site);
  const WaitPoint middle = run.points[run.points.size() / 2];
  const float spot = std::min(ui.px(8), run.length * 0.15f);  // without words the middle of the edge is what can be clicked
  const WaitBox box = place.size >= 0 ? place.box : WaitBox{middle.x - spot, middle.y - spot, middle.x + spot, middle.y + spot};
  if (place.size >= 0) {
    const bool both = place.size == 0 && !where.empty();
    const float row = compat::font_size(ui.fonts.small), x = (box.x0 + box.x1) / 2, top = box.y0 + ui.px(2);
    draw.AddRectFilled({box.x0, box.y0}, {box.x1, box.y1}, colour(p.panel), ui.px(4));
    draw_text(ui.fonts.small, {x - width_of(ui.fonts.small, what) / 2, top}, colour(edge.in_cycle ? p.text : p.muted), what);
    if (both) draw_text(ui.fonts.code, {x - width_of(ui.fonts.code, where) / 2, top + row * 1.05f}, colour(p.muted), where);
  }
  ImGui::SetCursorScreenPos({box.x0, box.y0});
  ImGui::PushID(index);
  if (ImGui::InvisibleButton("edge", {std::max(1.0f, box.x1 - box.x0), std::max(1.0f, box.y1 - box.y0)})) app.selected = edge.span;
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  tooltip(ui, (place.size == 0 ? "" : what + "  " + where + "\n") + ui.text(edge.any ? "gui.edge_any" : "gui.edge_tip"));
  ImGui::PopID();
}

/// What a node says in its first line: its rank, and its lane where only that tells it from another node.
std::string node_text(Ui& ui, const WaitNodeDrawing& node, const Graph& graph) {
  const std::string number = std::to_string(node.rank), rank = graph.words ? ui.text("report.rank", {{"n", number}}) : number;
  return graph.lanes || !node.several || node.gone ? rank : rank + " " + report::shown_lane(node.lane, ui.text);
}

void draw_node(Ui& ui, App& app, const WaitNodeDrawing& node, const NodeBox& box, const Graph& graph, int index) {
  const auto& p = ui.palette();
  auto& draw = *ImGui::GetWindowDrawList();
  const ImVec2 min{box.centre.x - box.half.x, box.centre.y - box.half.y}, max{box.centre.x + box.half.x, box.centre.y + box.half.y};
  draw.AddRectFilled(min, max, colour(node.stuck ? mix(p.panel, p.bad, 0.22f) : p.raised), ui.px(6));
  if (node.stuck) draw.AddRect(min, max, colour(p.bad), ui.px(6), 0, ui.px(1.5f));
  const std::string named = ui.text("report.rank", {{"n", std::to_string(node.rank)}}), rank = node_text(ui, node, graph);
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
  const Graph graph_drawn{{start.x + room.x / 2, start.y + rows / 2}, std::max(ui.px(8), rows - words - ui.px(8)), !dense, !small, !dense};
  ImVec2 half = small ? ImVec2(ui.px(dense ? 14 : 32), ui.px(dense ? 9 : 11)) : ImVec2(ui.px(46), ui.px(23));
  if (small && !dense)
    for (const auto& node : drawing.nodes) half.x = std::max(half.x, width_of(ui.fonts.small, node_text(ui, node, graph_drawn)) / 2 + ui.px(6));
  const float rx = std::min(room.x / 2 - half.x - ui.px(count > 2 ? 24 : 8), ui.px(dense ? 1000 : count > 2 ? 300 : 220));
  const float ry = rows / 2 - half.y - ui.px(4);
  if (dense) half.x = std::min(half.x, 4 * (rx + ry) / static_cast<float>(count) * 0.36f);
  std::vector<NodeBox> boxes;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& node = drawing.nodes[i];
    const ImVec2 round{graph_drawn.middle.x + static_cast<float>(node.x) * rx, graph_drawn.middle.y + static_cast<float>(node.y) * ry};
    boxes.push_back({dense ? on_rectangle(static_cast<float>(i) / static_cast<float>(count), graph_drawn.middle, rx, ry) : round, half});
  }
  std::vector<EdgeLine> runs;
  std::vector<LabelWish> wishes;
  for (const bool cycle : {true, false})  // the cycle chooses first where its words stand
    for (const auto& edge : drawing.edges) {
      if (edge.in_cycle != cycle || edge.from == edge.to) continue;
      runs.push_back(run_of(ui, edge, boxes[edge.from], boxes[edge.to], graph_drawn));
      wishes.push_back(wish_of(ui, runs.back(), graph_drawn));
    }
  std::vector<WaitBox> nodes;
  for (const NodeBox& box : boxes) nodes.push_back({box.centre.x - box.half.x, box.centre.y - box.half.y, box.centre.x + box.half.x, box.centre.y + box.half.y});
  const auto places = place_labels({start.x, start.y, start.x + room.x, start.y + rows}, nodes, wishes);
  for (std::size_t i = runs.size(); i-- > 0;) draw_line_of(ui, runs[i]);  // and is drawn last, on top
  for (std::size_t i = 0; i < runs.size(); ++i) draw_words_of(ui, app, runs[i], places[i], static_cast<int>(i));
  int index = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) draw_node(ui, app, drawing.nodes[i], boxes[i], graph_drawn, index++);
  ImGui::SetCursorScreenPos({start.x, start.y + rows});
}

}  // namespace p2plab::gui
