// Panels, text, buttons, chips and tabs in the look of the lab.
#include "app/gui/widgets/basic.h"

#include <algorithm>

#include "app/gui/imgui_compat.h"
#include "app/gui/model/marked_terms.h"
#include "app/report/wrap.h"

namespace p2plab::gui {
namespace {

report::Measure measure(ImFont* font) { return [font](std::string_view text) { return width_of(font, text); }; }

/// English words with quotation marks as narrow as they are.
std::string with_quotes(const Ui& ui, std::string_view text) {
  std::string out(text);
  if (ui.text.language() == content::Language::en) narrow_quotes(out);
  return out;
}

/// An invisible item that can be clicked and reached by key; its rectangle.
struct Pressed {
  bool clicked, hovered, held, focused;
  ImVec2 min, max;
};
Pressed press(const char* id, ImVec2 size) {
  Pressed out{};
  out.clicked = ImGui::InvisibleButton(id, {std::max(1.0f, size.x), std::max(1.0f, size.y)});
  out.hovered = ImGui::IsItemHovered();
  out.held = ImGui::IsItemActive();
  out.min = ImGui::GetItemRectMin();
  out.max = ImGui::GetItemRectMax();
  if (out.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return out;
}

report::Rgb lifted(const Ui& ui, report::Rgb base, const Pressed& state) {
  return mix(base, ui.palette().text, state.held ? 0.14f : state.hovered ? 0.07f : 0.0f);
}

float centred(float outer, float inner) { return static_cast<float>(static_cast<int>((outer - inner) / 2)); }

}  // namespace

bool begin_panel(const Ui& ui, const char* id, Rect rect, bool scroll) {
  ImGui::SetCursorPos({rect.x, rect.y});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, colour4(ui.palette().panel));
  const bool open = compat::begin_child(id, {std::max(1.0f, rect.w), std::max(1.0f, rect.h)}, true,
                                        scroll ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleColor();
  return open;
}
void end_panel() { ImGui::EndChild(); }

void begin_area(const Ui&, const char* id, Rect rect, bool padded, bool scroll) {
  ImGui::SetCursorPos({rect.x, rect.y});
  compat::begin_child(id, {std::max(1.0f, rect.w), std::max(1.0f, rect.h)}, padded,
                      scroll ? 0 : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
}
void end_area() { ImGui::EndChild(); }

float width_of(ImFont* font, std::string_view text) {
  if (text.empty()) return 0;  // its pointer may be null, which ImGui takes for a text of unknown length
  return font->CalcTextSizeA(compat::font_size(font), 1e9f, 0, text.data(), text.data() + text.size()).x;
}

void draw_text(ImFont* font, ImVec2 at, ImU32 colour, std::string_view text) {
  if (text.empty()) return;
  ImGui::GetWindowDrawList()->AddText(font, compat::font_size(font), at, colour, text.data(), text.data() + text.size());
}

void line(const Ui& ui, ImFont* font, report::Rgb rgb, std::string_view as_written, float width) {
  const std::string text = with_quotes(ui, as_written);
  const float whole = width_of(font, text);
  const bool too_long = width > 0 && whole > width;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({too_long ? width : whole, compat::font_size(font)});
  if (!too_long) return draw_text(font, at, colour(rgb), text);
  draw_text(font, at, colour(rgb), report::cut(text, width, measure(font)));
  tooltip(ui, text);
}

std::string cut_label(const Ui& ui, std::string_view label, float width) { return report::cut(label, width, measure(ui.fonts.small)); }

void paragraph(const Ui& ui, ImFont* font, report::Rgb rgb, std::string_view text, float width) {
  if (width <= 0) width = ImGui::GetContentRegionAvail().x;
  const float step = compat::font_size(font) * 1.12f;
  ImVec2 at = ImGui::GetCursorScreenPos();
  const auto lines = report::wrap(with_quotes(ui, text), width, measure(font));
  ImGui::Dummy({width, step * static_cast<float>(lines.size())});
  for (const auto& each : lines) {
    draw_text(font, at, colour(rgb), each);
    at.y += step;
  }
}

void tooltip(const Ui& ui, std::string_view text) {
  if (text.empty() || !ImGui::IsItemHovered()) return;
  const ImVec2 pad{ui.px(12), ui.px(8)}, min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax(), screen = ImGui::GetIO().DisplaySize, pointer = ImGui::GetIO().MousePos;
  float width = 0;
  const auto lines = report::wrap(with_quotes(ui, text), ui.px(360), measure(ui.fonts.small));
  for (const auto& each : lines) width = std::max(width, width_of(ui.fonts.small, each) + 1);
  const float height = compat::font_size(ui.fonts.small) * 1.12f * static_cast<float>(lines.size());
  const Rect at = tooltip_place({min.x, min.y, max.x - min.x, max.y - min.y}, width + 2 * pad.x, height + 2 * pad.y, pointer.x, pointer.y, screen.x, screen.y, ui.px(6));
  ImGui::SetNextWindowPos({at.x, at.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, pad);
  ImGui::BeginTooltip();
  paragraph(ui, ui.fonts.small, ui.palette().text, text, width);
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

void hairline(const Ui& ui) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::Dummy({width, ui.px(1)});
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + std::max(1.0f, ui.px(1))}, colour(ui.palette().hairline));
}

bool primary_button(const Ui& ui, const char* id, Icon icon, std::string_view label, ImVec2 size, bool stop) {
  const auto state = press(id, size);
  const auto base = stop ? ui.palette().raised : ui.palette().accent;
  const report::Rgb ink = stop ? ui.palette().text : 0xFFFFFF;
  auto& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(state.min, state.max, colour(lifted(ui, base, state)), ui.px(6));
  const float icon_size = icon == Icon::none ? 0 : ui.px(11), gap = label.empty() || icon == Icon::none ? 0 : ui.px(8);
  const std::string shown = report::cut(label, size.x - icon_size - gap - ui.px(12), measure(ui.fonts.body));
  const float all = icon_size + gap + width_of(ui.fonts.body, shown);
  const float x = state.min.x + centred(size.x, all), middle = (state.min.y + state.max.y) / 2;
  draw_icon(draw, icon, {x + icon_size / 2, middle}, icon_size, colour(ink));
  draw_text(ui.fonts.body, {x + icon_size + gap, state.min.y + centred(size.y, compat::font_size(ui.fonts.body))}, colour(ink), shown);
  return state.clicked;
}

float button_width(const Ui& ui, std::string_view label, Icon icon) {
  const float icon_part = icon == Icon::none ? 0 : ui.px(10) + (label.empty() ? 0 : ui.px(6));
  return width_of(ui.fonts.small, label) + icon_part + 2 * ui.px(10);
}

bool button(const Ui& ui, const char* id, std::string_view label, bool on, Icon icon) {
  const ImVec2 size{button_width(ui, label, icon), ui.px(26)};
  const auto state = press(id, size);
  auto& draw = *ImGui::GetWindowDrawList();
  const auto base = on ? mix(ui.palette().raised, ui.palette().accent, 0.35f) : ui.palette().raised;
  draw.AddRectFilled(state.min, state.max, colour(lifted(ui, base, state)), ui.px(6));
  float x = state.min.x + ui.px(10);
  if (icon != Icon::none) {
    draw_icon(draw, icon, {x + ui.px(5), (state.min.y + state.max.y) / 2}, ui.px(10), colour(ui.palette().text));
    x += ui.px(16);
  }
  draw_text(ui.fonts.small, {x, state.min.y + centred(size.y, compat::font_size(ui.fonts.small))}, colour(ui.palette().text), label);
  return state.clicked;
}

float chip_width(const Ui& ui, std::string_view name, std::string_view value) {
  return width_of(ui.fonts.small, name) + width_of(ui.fonts.small, value) + ui.px(6 + 24 + 16);
}

bool chip(const Ui& ui, const char* id, std::string_view name, std::string_view value) {
  const ImVec2 size{chip_width(ui, name, value), ui.px(26)};
  const auto state = press(id, size);
  auto& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled(state.min, state.max, colour(lifted(ui, ui.palette().raised, state)), ui.px(6));
  const float y = state.min.y + centred(size.y, compat::font_size(ui.fonts.small));
  float x = state.min.x + ui.px(12);
  draw_text(ui.fonts.small, {x, y}, colour(ui.palette().muted), name);
  x += width_of(ui.fonts.small, name) + (name.empty() ? 0 : ui.px(6));
  draw_text(ui.fonts.small, {x, y}, colour(ui.palette().text), value);
  draw_icon(draw, Icon::down, {state.max.x - ui.px(14), (state.min.y + state.max.y) / 2}, ui.px(7), colour(ui.palette().muted));
  return state.clicked;
}

float tabs_height(const Ui& ui) { return ui.px(36); }

float tabs_width(const Ui& ui, const std::vector<TabItem>& items) {
  float need = 0;
  for (const auto& item : items) need += width_of(ui.fonts.body, item.label) + ui.px(10);
  return need;
}

int tabs(const Ui& ui, const char* id, const std::vector<TabItem>& items, int chosen, float width_allowed) {
  ImGui::PushID(id);
  auto& draw = *ImGui::GetWindowDrawList();
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const auto gaps = static_cast<float>(std::max<std::size_t>(1, items.size() - 1));
  const auto needed = [&](ImFont* font) {
    float need = 0;
    for (const auto& item : items) need += width_of(font, item.label);
    return need;
  };
  // Words that are too wide become smaller, then closer, and last they are cut.
  const bool small = needed(ui.fonts.body) + gaps * ui.px(10) > width_allowed;
  ImFont* const font = small ? ui.fonts.small : ui.fonts.body;
  const float need = needed(font), least = ui.px(small ? 6 : 10);
  const float share = std::min(1.0f, (width_allowed - gaps * least) / std::max(1.0f, need));
  const float gap = std::clamp((width_allowed - need * share) / gaps, least, ui.px(28));
  float x = start.x;
  for (int i = 0; i < static_cast<int>(items.size()); ++i) {
    const auto& item = items[static_cast<std::size_t>(i)];
    const float width = width_of(font, item.label) * share;
    ImGui::SetCursorScreenPos({x, start.y});
    ImGui::PushID(i);
    const auto state = press("tab", {width, ui.px(32)});
    ImGui::PopID();
    if (share < 1) tooltip(ui, item.label);
    if (state.clicked) chosen = i;
    const auto ink = i == chosen ? ui.palette().text : lifted(ui, ui.palette().muted, state);
    draw_text(font, {x, start.y + centred(ui.px(28), compat::font_size(font))}, colour(ink), share < 1 ? report::cut(item.label, width, measure(font)) : item.label);
    if (i == chosen) draw.AddRectFilled({x, start.y + ui.px(30)}, {x + width, start.y + ui.px(32)}, colour(ui.palette().accent));
    if (item.marked) draw.AddCircleFilled({x + width + ui.px(5), start.y + ui.px(8)}, ui.px(3), colour(ui.palette().bad));
    x += width + gap;
  }
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({1, ui.px(36)});
  ImGui::PopID();
  return chosen;
}

}  // namespace p2plab::gui
