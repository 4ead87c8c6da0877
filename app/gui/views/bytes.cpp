// Sent against received, in hex, from the first byte that differs; and the buffers that changed before the wait.
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>

#include "app/gui/imgui_compat.h"
#include "app/gui/model/copied.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"

namespace p2plab::gui {
namespace {

void hex_row(Ui& ui, const std::string& name, const std::vector<std::uint8_t>& bytes, const std::vector<std::uint8_t>& other, report::Rgb ink) {
  const auto& p = ui.palette();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float row = ui.px(26), cell = width_of(ui.fonts.code, "00") + ui.px(10), names = ui.px(88);
  ImGui::Dummy({names + cell * static_cast<float>(bytes.size()), row});
  const float y = at.y + (row - compat::font_size(ui.fonts.code)) / 2;
  draw_text(ui.fonts.small, {at.x, y}, colour(p.muted), name);
  auto& draw = *ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const float x = at.x + names + cell * static_cast<float>(i);
    const bool differs = i >= other.size() || bytes[i] != other[i];
    if (differs) {
      draw.AddRectFilled({x, at.y + ui.px(2)}, {x + cell - ui.px(3), at.y + row - ui.px(2)}, colour(ink, 0.28f), ui.px(3));
      draw.AddRectFilled({x, at.y + row - ui.px(3)}, {x + cell - ui.px(3), at.y + row - ui.px(2)}, colour(ink));
    }
    draw_text(ui.fonts.code, {x + (cell - ui.px(3) - width_of(ui.fonts.code, "00")) / 2, y}, colour(differs ? p.text : p.muted), fmt::format("{:02x}", bytes[i]));
  }
}

void offsets(Ui& ui, const Difference& at) {
  const ImVec2 here = ImGui::GetCursorScreenPos();
  const float cell = width_of(ui.fonts.code, "00") + ui.px(10), names = ui.px(88);
  ImGui::Dummy({1, compat::font_size(ui.fonts.code)});
  for (std::size_t i = 0; i < at.sent.size(); i += 4)
    draw_text(ui.fonts.code, {here.x + names + cell * static_cast<float>(i), here.y}, colour(ui.palette().muted), fmt::format("+{}", at.offset + i));
}

}  // namespace

void draw_bytes(Ui& ui, App& app) {
  const auto& p = ui.palette();
  const auto* trace = app.session.trace();
  const auto difference = trace ? first_difference(*trace) : std::nullopt;
  const auto changed = trace ? changed_payloads(*trace) : std::vector<ChangedPayload>{};
  if (!difference && changed.empty())
    return paragraph(ui, ui.fonts.body, p.muted, ui.text(!trace ? "gui.bytes_empty" : app.session.running() ? "gui.bytes_soon" : "gui.bytes_equal"));

  const std::string conditions = app.conditions(ui.text);
  if (ui.pressed(GLFW_KEY_Y)) {
    std::string all = difference ? as_text(*difference, conditions, ui.text) + "\n" : std::string();
    for (const auto& each : changed) all += as_text(each, *trace, conditions, ui.text) + "\n";
    app.copy(ui, all);
  }
  if (difference) {
    ImGui::BeginGroup();
    paragraph(ui, ui.fonts.small, p.text, ui.text("gui.bytes_differ", {{"rank", std::to_string(difference->rank)}, {"offset", std::to_string(difference->offset)}}));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), ui.px(4)));
    offsets(ui, *difference);
    hex_row(ui, ui.text("gui.sent"), difference->sent, difference->received, p.good);
    hex_row(ui, ui.text("gui.received"), difference->received, difference->sent, p.bad);
    ImGui::PopStyleVar();
    ImGui::EndGroup();
    tooltip(ui, ui.text("gui.copy_number"));
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsItemClicked()) app.copy(ui, as_text(*difference, conditions, ui.text));
  } else {
    paragraph(ui, ui.fonts.small, p.unsure, ui.text("gui.bytes_hidden"));
  }
  if (changed.empty()) return;
  ImGui::Dummy({1, ui.px(2)});
  paragraph(ui, ui.fonts.small, p.text, ui.text("gui.hash_changed"));
  for (const auto& each : changed) {
    line(ui, ui.fonts.code, p.accent, hash_row(each, *trace, ui.text), ImGui::GetContentRegionAvail().x);
    tooltip(ui, ui.text("gui.copy_hash"));
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (!ImGui::IsItemClicked()) continue;
    app.selected = each.span;
    app.copy(ui, as_text(each, *trace, conditions, ui.text));
  }
}

}  // namespace p2plab::gui
