// See reading.h.
#include "app/gui/views/reading.h"

#include <algorithm>
#include <numeric>

#include "app/gui/imgui_compat.h"
#include "app/gui/widgets/basic.h"

namespace p2plab::gui {

void draw_code_box(Ui& ui, const std::string& text, float width, bool console) {
  const auto& p = ui.palette();
  const float pad = ui.px(12), step = compat::font_size(ui.fonts.code) * 1.35f;
  const auto lines = report::wrap(text, width - 2 * pad, [&](std::string_view part) { return width_of(ui.fonts.code, part); });
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = step * static_cast<float>(lines.size()) + 2 * pad * 0.7f;
  ImGui::Dummy({width, height});
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + height}, colour(p.raised), ui.px(6));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool command = console && lines[i].starts_with("$ ");
    draw_text(ui.fonts.code, {at.x + pad, at.y + pad * 0.7f + step * static_cast<float>(i)}, colour(command ? p.accent : p.text), lines[i]);
  }
}

void follow(App& app, const std::string& target) {
  const std::size_t colon = target.find(':');
  const std::string scheme = target.substr(0, colon), id = target.substr(colon + 1);
  if (scheme == "lesson") {
    app.model.place = Place::lessons;
    app.lessons.asked = id;
  }
  if (scheme == "demo" && app.model.choose_demo(id)) app.model.place = Place::demos;
  if (scheme == "claim") {
    app.model.place = Place::claims;
    app.claims.asked = id;
  }
  if (scheme == "lab") {
    app.model.place = Place::labs;
    app.labs.asked = id;
  }
  if (scheme == "card") {
    app.model.place = Place::drill;
    app.drill.asked = id;
  }
}

namespace {

using content::Block;

/// Draws text and follows the link that was chosen in it.
void text_of(Ui& ui, App& app, const Reading& page, const content::Inlines& inlines, ImFont* font, report::Rgb ink, float width, bool strong = false) {
  const std::string target = page.flow.draw(ui, inlines, page.terms(inlines), font, ink, width, strong, page.focus);
  if (target.starts_with("https://") || target.starts_with("source:")) {
    app.copy(ui, target);  // there is no browser of ours; the address is on the clipboard
  } else if (!target.empty()) {
    follow(app, target);
  }
}

void draw_blocks_of(Ui& ui, App& app, const Reading& page, const std::vector<Block>& blocks, float width, bool top);

/// Natural widths, or as much of them as fits, taken from the widest columns.
std::vector<float> table_widths(const Ui& ui, const Reading& page, const Block& table, float room) {
  std::vector<float> out(table.rows[0].size(), ui.px(24));
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < std::min(out.size(), row.size()); ++c) out[c] = std::max(out[c], page.flow.natural_width(ui, row[c], ui.fonts.body));
  const float least = ui.px(72);
  for (int i = 0; i < 4000 && std::accumulate(out.begin(), out.end(), 0.0f) > room; ++i) {
    float& widest = *std::max_element(out.begin(), out.end());
    if (widest <= least) break;
    widest -= ui.px(4);
  }
  return out;
}

void draw_table(Ui& ui, App& app, const Reading& page, const Block& table, float width) {
  const auto& p = ui.palette();
  const float gap = ui.px(18);
  const auto widths = table_widths(ui, page, table, width - gap * static_cast<float>(table.rows[0].size() - 1));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), 0));
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    float x = at.x, bottom = at.y;
    for (std::size_t c = 0; c < table.rows[r].size(); ++c) {
      ImGui::SetCursorScreenPos({x, at.y + ui.px(3)});
      ImGui::BeginGroup();
      text_of(ui, app, page, table.rows[r][c], ui.fonts.body, r == 0 ? p.muted : p.text, widths[c]);
      ImGui::EndGroup();
      bottom = std::max(bottom, ImGui::GetItemRectMax().y);
      x += widths[c] + gap;
    }
    const float y = bottom + ui.px(3);
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, y}, {at.x + std::min(width, x - gap - at.x), y + std::max(1.0f, ui.px(1))}, colour(p.hairline));
    ImGui::SetCursorScreenPos({at.x, y + ui.px(4)});
    ImGui::Dummy({width, 1});
  }
  ImGui::PopStyleVar();
  ImGui::Dummy({1, 1});
}

void draw_list(Ui& ui, App& app, const Reading& page, const Block& list, float width) {
  int number = list.start;
  const float indent = ui.px(list.ordered ? 26 : 20);
  for (const Block& item : list.children) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string mark = list.ordered ? std::to_string(number++) + "." : "•";
    draw_text(ui.fonts.body, {at.x + ui.px(2), at.y}, colour(ui.palette().muted), mark);
    ImGui::SetCursorScreenPos({at.x + indent, at.y});
    ImGui::BeginGroup();
    draw_blocks_of(ui, app, page, item.children, width - indent, false);
    ImGui::EndGroup();
    ImGui::SetCursorScreenPos({at.x, ImGui::GetItemRectMax().y});
    ImGui::Dummy({width, 1});
  }
}

void draw_callout(Ui& ui, App& app, const Reading& page, const Block& block, float width) {
  const auto& p = ui.palette();
  const report::Rgb hue = block.word == "trap" ? p.bad : block.word == "say" ? p.good : block.word == "card" ? p.unsure : p.accent;
  const float pad = ui.px(14);
  auto& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw.ChannelsSplit(2);
  draw.ChannelsSetCurrent(1);
  ImGui::SetCursorScreenPos({at.x + pad, at.y + pad * 0.6f});
  ImGui::BeginGroup();
  line(ui, ui.fonts.small, hue, ui.text("lesson.callout_" + block.word), width - 2 * pad);
  draw_blocks_of(ui, app, page, block.children, width - 2 * pad, false);
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y + pad * 0.6f;
  draw.ChannelsSetCurrent(0);
  draw.AddRectFilled(at, {at.x + width, bottom}, colour(mix(p.ground, hue, 0.10f)), ui.px(6));
  draw.AddRectFilled(at, {at.x + ui.px(3), bottom}, colour(hue));
  draw.ChannelsMerge();
  ImGui::SetCursorScreenPos({at.x, bottom});
  ImGui::Dummy({width, 1});
}

void draw_block(Ui& ui, App& app, const Reading& page, const Block& block, float width) {
  const auto& p = ui.palette();
  switch (block.kind) {
    case Block::Kind::heading:
      ImGui::Dummy({1, ui.px(block.level <= 2 ? 12 : 4)});
      text_of(ui, app, page, block.inlines, block.level <= 2 ? ui.fonts.title : ui.fonts.body, p.text, width, block.level > 2);
      break;
    case Block::Kind::paragraph: text_of(ui, app, page, block.inlines, ui.fonts.body, p.text, width); break;
    case Block::Kind::code: draw_code_box(ui, block.text, width, block.word == "console"); break;
    case Block::Kind::table: draw_table(ui, app, page, block, width); break;
    case Block::Kind::list: draw_list(ui, app, page, block, width); break;
    case Block::Kind::callout: draw_callout(ui, app, page, block, width); break;
    case Block::Kind::rule: hairline(ui); break;
    case Block::Kind::item:
    case Block::Kind::live:
    case Block::Kind::figure: break;
  }
}

void draw_blocks_of(Ui& ui, App& app, const Reading& page, const std::vector<Block>& blocks, float width, bool top) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), ui.px(top ? 12 : 6)));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    if (block.kind == Block::Kind::figure || (top && i == 0 && block.kind == Block::Kind::heading)) continue;  // the title stands in the head
    ImGui::PushID(static_cast<int>(i));
    if (block.kind == Block::Kind::live) {
      if (page.live) page.live(i, block.live, width);
    } else {
      draw_block(ui, app, page, block, width);
    }
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
}

}  // namespace

void draw_document(Ui& ui, App& app, const Reading& page, const content::Document& document, float width) { draw_blocks_of(ui, app, page, document.blocks, width, true); }

}  // namespace p2plab::gui
