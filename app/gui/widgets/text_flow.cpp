// See text_flow.h. There is no bold or slanted font: strong is drawn twice, emphasis has a colour of its own.
#include "app/gui/widgets/text_flow.h"

#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/gui/imgui_compat.h"
#include "app/gui/widgets/basic.h"

namespace p2plab::gui {
namespace {

using content::Inline;

ImFont* font_of(const Ui& ui, const Inline& look, ImFont* font) { return (look.style & Inline::code) != 0 ? ui.fonts.code : font; }

/// Code stands on a ground of its own, which has room on both sides: it must not lie on what comes before.
float room_of(const Ui& ui, const Inline& look) { return (look.style & Inline::code) != 0 ? ui.px(3) : 0; }

report::Rgb ink_of(const Ui& ui, const Inline& look, report::Rgb ink) {
  const auto& p = ui.palette();
  if (!look.target.empty()) return p.accent;
  if (look.style & Inline::code) return mix(p.text, p.copy, 0.35f);
  return (look.style & Inline::emphasis) != 0 ? mix(ink, p.unsure, 0.75f) : ink;
}

/// Measures a part of the text by the fonts that stand in it; the part is found by its address.
report::Measure measure_of(const Ui& ui, const content::Inlines& inlines, const std::string& plain, ImFont* font) {
  return [&ui, &inlines, &plain, font](std::string_view part) {
    if (part.data() < plain.data() || part.data() > plain.data() + plain.size()) return width_of(font, part);
    auto at = static_cast<std::size_t>(part.data() - plain.data());
    const std::size_t end = at + part.size();
    float width = 0;
    std::size_t begin = 0;
    for (const Inline& each : inlines) {
      const std::size_t stop = begin + each.text.size();
      if (at < stop && at < end) {
        const std::size_t to = std::min(stop, end);
        width += width_of(font_of(ui, each, font), std::string_view(plain).substr(at, to - at)) + 2 * room_of(ui, each);
        at = to;
      }
      begin = stop;
    }
    return width;
  };
}

void underline(const Ui& ui, ImVec2 from, float width, ImU32 ink, bool dotted) {
  auto& draw = *ImGui::GetWindowDrawList();
  if (!dotted) return draw.AddRectFilled(from, {from.x + width, from.y + std::max(1.0f, ui.px(1))}, ink);
  for (float x = 0; x < width; x += ui.px(4)) draw.AddRectFilled({from.x + x, from.y}, {from.x + std::min(x + ui.px(2), width), from.y + std::max(1.0f, ui.px(1))}, ink);
}

/// What is known of a term, while the mouse rests on it. It is drawn after the text, so that it lies above it.
void explain(const Ui& ui, const content::Term& term) {
  const auto language = ui.text.language();
  const auto& name = term.name.in(language);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(12), ui.px(8)));
  ImGui::BeginTooltip();
  line(ui, ui.fonts.small, ui.palette().accent, name == term.name.en || name.find(term.name.en) != std::string::npos ? name : name + " · " + term.name.en);
  const float widest = ui.px(360);
  paragraph(ui, ui.fonts.small, ui.palette().text, term.says.in(language), std::min(widest, width_of(ui.fonts.small, term.says.in(language)) + 1));
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

}  // namespace

void Focus::begin_frame(Ui& ui) {
  of_ = count_;
  count_ = 0;
  enter_ = moved_ = false;
  for (const KeyPress& press : ui.keys) {
    if (press.key == GLFW_KEY_TAB && of_ > 0) {
      const int by = (press.mods & GLFW_MOD_SHIFT) != 0 ? -1 : 1;
      at_ = at_ < 0 ? (by > 0 ? 0 : of_ - 1) : (at_ + by + of_) % of_;
      moved_ = true;
    }
    if ((press.key == GLFW_KEY_ENTER || press.key == GLFW_KEY_KP_ENTER) && at_ >= 0) enter_ = true;
  }
}

bool Focus::next() { return count_++ == at_; }

void draw_focus(const Ui& ui, ImVec2 min, ImVec2 max) {
  const float pad = ui.px(2);
  ImGui::GetWindowDrawList()->AddRect({min.x - pad, min.y - pad}, {max.x + pad, max.y + pad}, colour(ui.palette().accent), ui.px(4), 0, std::max(1.0f, ui.px(2)));
}

const TextFlow::Laid& TextFlow::lay(const Ui& ui, const content::Inlines& inlines, ImFont* font, float width) {
  Laid& laid = laid_[&inlines];
  const float size = compat::font_size(font);
  if (laid.width == width && laid.font_size == size) return laid;
  laid.plain = content::plain_text(inlines);
  laid.lines = report::flow(inlines, laid.plain, width, measure_of(ui, inlines, laid.plain, font));
  laid.width = width;
  laid.font_size = size;
  return laid;
}

float TextFlow::natural_width(const Ui& ui, const content::Inlines& inlines, ImFont* font) const {
  float out = 0;
  for (const Inline& each : inlines) out += width_of(font_of(ui, each, font), each.text) + 2 * room_of(ui, each);
  return out + 1;
}

std::string TextFlow::draw(Ui& ui, const content::Inlines& inlines, const std::vector<MarkedTerm>& terms, ImFont* font, report::Rgb ink, float width, bool strong, Focus& focus) {
  const Laid& laid = lay(ui, inlines, font, width);
  const float size = compat::font_size(font), step = size * 1.36f;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  auto& draw = *ImGui::GetWindowDrawList();
  std::string chosen;
  const content::Term* pointed = nullptr;
  std::size_t link = inlines.size();  // the link that was counted last: one over several lines is one thing
  bool at_link = false, entered = false;
  ImGui::PushID(&inlines);
  for (std::size_t row = 0; row < laid.lines.size(); ++row) {
    float x = start.x;
    const float y = start.y + step * static_cast<float>(row);
    for (const auto& piece : laid.lines[row]) {
      const Inline& look = inlines[piece.inline_index];
      ImFont* const own = font_of(ui, look, font);
      const float wide = width_of(own, piece.text), room = room_of(ui, look), lower = (size - compat::font_size(own)) * 0.75f;
      const ImU32 own_ink = colour(ink_of(ui, look, ink));
      if (look.style & Inline::code) draw.AddRectFilled({x, y - ui.px(1)}, {x + wide + 2 * room, y + size + ui.px(3)}, colour(ui.palette().raised), ui.px(3));
      x += room;
      draw_text(own, {x, y + lower}, own_ink, piece.text);
      if (strong || (look.style & Inline::strong)) draw_text(own, {x + std::max(0.6f, ui.px(1) * 0.6f), y + lower}, own_ink, piece.text);
      if (!look.target.empty()) {
        if (piece.inline_index != link) {
          link = piece.inline_index;
          at_link = focus.next();
          entered = at_link && focus.entered();
        }
        ImGui::SetCursorScreenPos({x, y});
        ImGui::PushID(static_cast<int>(piece.begin));
        if (ImGui::InvisibleButton("link", {std::max(1.0f, wide), step}) || entered) chosen = look.target;
        const bool hovered = ImGui::IsItemHovered();
        ImGui::PopID();
        if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        if (hovered || at_link) underline(ui, {x, y + size + ui.px(2)}, wide, own_ink, false);
        if (at_link) {
          draw_focus(ui, {x, y}, {x + wide, y + size + ui.px(3)});
          if (focus.arrived()) ImGui::SetScrollHereY(0.5f);
        }
      }
      for (const auto& term : terms) {
        if (term.end <= piece.begin || term.begin >= piece.begin + piece.text.size() || !look.target.empty()) continue;
        const std::size_t from = std::max(term.begin, piece.begin) - piece.begin, to = std::min(term.end, piece.begin + piece.text.size()) - piece.begin;
        const float left = x + width_of(own, std::string_view(piece.text).substr(0, from)), part = width_of(own, std::string_view(piece.text).substr(from, to - from));
        if (term.first) underline(ui, {left, y + size + ui.px(2)}, part, colour(ui.palette().muted), true);
        if (ImGui::IsMouseHoveringRect({left, y}, {left + part, y + step}) && ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) pointed = term.term;
      }
      x += wide + room;
    }
  }
  ImGui::PopID();
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({width, step * static_cast<float>(std::max<std::size_t>(1, laid.lines.size()))});
  if (pointed) explain(ui, *pointed);
  return chosen;
}

}  // namespace p2plab::gui
