// See drill_parts.h.
#include "app/gui/views/drill_parts.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "app/gui/imgui_compat.h"
#include "app/gui/widgets/basic.h"
#include "app/report/wrap.h"

namespace p2plab::gui {
namespace {

std::string clock_time(double seconds) { return fmt::format("{}:{:02}", static_cast<int>(seconds) / 60, static_cast<int>(seconds) % 60); }

}  // namespace

bool tick_row(const Ui& ui, const char* id, std::string_view key, std::string_view text, bool on, report::Rgb mark, float width) {
  const auto& p = ui.palette();
  const float left = ui.px(58), step = compat::font_size(ui.fonts.body) * 1.12f;
  const auto lines = report::wrap(text, width - left - ui.px(8), [&](std::string_view part) { return width_of(ui.fonts.body, part); });
  const float height = std::max(1.0f, static_cast<float>(lines.size())) * step + ui.px(10);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id, {width, height});
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  auto& draw = *ImGui::GetWindowDrawList();
  if (hovered || on) draw.AddRectFilled(at, {at.x + width, at.y + height}, colour(on ? mix(p.raised, mark, 0.22f) : p.raised, on ? 1.0f : 0.6f), ui.px(6));
  draw_text(ui.fonts.small, {at.x + ui.px(8), at.y + ui.px(7)}, colour(p.muted), key);
  const ImVec2 box{at.x + ui.px(32), at.y + ui.px(7)};
  const float side = ui.px(15);
  if (on) {
    draw.AddRectFilled(box, {box.x + side, box.y + side}, colour(mark), ui.px(3));
    draw.AddLine({box.x + side * 0.22f, box.y + side * 0.52f}, {box.x + side * 0.43f, box.y + side * 0.74f}, 0xFFFFFFFF, ui.px(2));
    draw.AddLine({box.x + side * 0.43f, box.y + side * 0.74f}, {box.x + side * 0.8f, box.y + side * 0.28f}, 0xFFFFFFFF, ui.px(2));
  } else {
    draw.AddRect(box, {box.x + side, box.y + side}, colour(p.muted), ui.px(3), 0, std::max(1.0f, ui.px(1.5f)));
  }
  float y = at.y + ui.px(5);
  for (const auto& line : lines) {
    draw_text(ui.fonts.body, {at.x + left, y}, colour(p.text), line);
    y += step;
  }
  return clicked;
}

bool key_button(const Ui& ui, const char* id, std::string_view key, std::string_view label, bool on) { return button(ui, id, std::string(key) + "  " + std::string(label), on); }

void flow(const Ui& ui, std::string_view key, std::string_view label, float right) {
  const float width = button_width(ui, std::string(key) + "  " + std::string(label));
  ImGui::SameLine(0, ui.px(8));
  if (ImGui::GetCursorPosX() + width > right) ImGui::NewLine();
}

void clocks(const Ui& ui, double seconds, int meant, float width) {
  const auto& p = ui.palette();
  const std::string text = clock_time(seconds);
  const bool over = seconds > meant;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float label = ui.px(46), bar = std::max(ui.px(60), width - label), height = ui.px(6), top = at.y + ui.px(5);
  ImGui::Dummy({width, ui.px(32)});
  draw_text(ui.fonts.body, {at.x, at.y - ui.px(1)}, colour(over ? p.unsure : p.text), text);
  auto& draw = *ImGui::GetWindowDrawList();
  const float left = at.x + label;
  draw.AddRectFilled({left, top}, {left + bar, top + height}, colour(p.raised), ui.px(3));
  // The first half minute has as much room as the next one and a half, and so on: three equal parts.
  constexpr std::array<double, 4> marks{0, 30, 120, 300};
  const auto x_of = [&](double s) {
    for (std::size_t i = 1; i < marks.size(); ++i)
      if (s <= marks[i]) return static_cast<float>((static_cast<double>(i - 1) + (s - marks[i - 1]) / (marks[i] - marks[i - 1])) / 3) * bar;
    return bar;
  };
  if (seconds > 0) draw.AddRectFilled({left, top}, {left + std::max(ui.px(3), x_of(seconds)), top + height}, colour(over ? p.unsure : p.accent), ui.px(3));
  for (std::size_t i = 1; i < marks.size(); ++i) {
    const float x = left + x_of(marks[i]);
    const std::string mark = clock_time(marks[i]);
    draw.AddRectFilled({x - ui.px(1), top - ui.px(3)}, {x + ui.px(1), top + height + ui.px(3)}, colour(static_cast<int>(marks[i]) == meant ? p.text : p.muted));
    draw_text(ui.fonts.small, {x - width_of(ui.fonts.small, mark), top + height + ui.px(3)}, colour(static_cast<int>(marks[i]) == meant ? p.text : p.muted), mark);
  }
}

void calibration_chart(const Ui& ui, const std::vector<content::CalibrationRow>& rows, float width, float height) {
  const auto& p = ui.palette();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, height});
  auto& draw = *ImGui::GetWindowDrawList();
  const float left = at.x + ui.px(44), bottom = at.y + height - ui.px(38), right = at.x + width - ui.px(12), top = at.y + ui.px(10);
  const auto place = [&](double x, double y) { return ImVec2(left + static_cast<float>(x) * (right - left), bottom - static_cast<float>(y) * (bottom - top)); };
  for (const int percent : {0, 50, 100}) {
    const std::string label = std::to_string(percent) + " %";
    draw.AddLine(place(0, percent / 100.0), place(1, percent / 100.0), colour(p.hairline));
    draw_text(ui.fonts.small, {left - width_of(ui.fonts.small, label) - ui.px(6), place(0, percent / 100.0).y - compat::font_size(ui.fonts.small) / 2}, colour(p.muted), label);
    draw_text(ui.fonts.small, {place(percent / 100.0, 0).x - width_of(ui.fonts.small, label) / 2, bottom + ui.px(3)}, colour(p.muted), label);
  }
  draw.AddLine(place(0, 0), place(1, 1), colour(p.muted, 0.6f), std::max(1.0f, ui.px(1)));
  const std::string axis = ui.text("drill.chart_axis");
  draw_text(ui.fonts.small, {left, bottom + ui.px(20)}, colour(p.muted), report::cut(axis, right - left + ui.px(8), [&](std::string_view part) { return width_of(ui.fonts.small, part); }));
  for (const auto& row : rows) {
    const ImVec2 centre = place(row.confidence / 100.0, static_cast<double>(row.right) / row.answers);
    const float radius = std::min(ui.px(16), ui.px(4) + ui.px(2) * std::sqrt(static_cast<float>(row.answers)));
    draw.AddCircleFilled(centre, radius, colour(p.accent, 0.85f), 24);
    const std::string count = std::to_string(row.answers);
    draw_text(ui.fonts.small, {centre.x + radius + ui.px(3), centre.y - compat::font_size(ui.fonts.small) / 2}, colour(p.text), count);
  }
}

void scroll_by_keys(const Ui& ui) {
  const float line = compat::font_size(ui.fonts.body) * 3, page = ImGui::GetWindowHeight() * 0.8f;
  float by = 0;
  if (ui.pressed(GLFW_KEY_DOWN)) by += line;
  if (ui.pressed(GLFW_KEY_UP)) by -= line;
  if (ui.pressed(GLFW_KEY_PAGE_DOWN)) by += page;
  if (ui.pressed(GLFW_KEY_PAGE_UP)) by -= page;
  if (by != 0) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + by, 0.0f, ImGui::GetScrollMaxY()));
}

}  // namespace p2plab::gui
