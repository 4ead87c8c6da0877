// The place of lessons: the list, or the page of one with its head, drawn block by block.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <numeric>

#include "app/gui/imgui_compat.h"
#include "app/gui/views/lesson_parts.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"

namespace p2plab::gui {
namespace {

using content::Block;

constexpr float kReadable = 760;  ///< design pixels of running text
constexpr float kLine = 24;       ///< what the arrow keys move by

/// Once this frame is drawn: what is being drawn belongs to the lesson that is open.
void open_lesson(App& app, const std::string& id) { app.lessons.asked = id; }

void follow(App& app, const std::string& target) {
  const std::size_t colon = target.find(':');
  const std::string scheme = target.substr(0, colon), id = target.substr(colon + 1);
  if (scheme == "lesson") return open_lesson(app, id);
  if (scheme == "demo" && app.model.choose_demo(id)) app.model.place = Place::demos;
  if (scheme == "claim") app.model.place = Place::claims;
  if (scheme == "lab") app.model.place = Place::labs;
  if (scheme == "card") {
    app.model.place = Place::drill;
    app.drill.asked = id;
  }
}

/// Draws text and follows the link that was chosen in it.
void text_of(Ui& ui, App& app, const content::Inlines& inlines, ImFont* font, report::Rgb ink, float width, bool strong = false) {
  const std::string target = app.lessons.flow.draw(ui, inlines, app.lessons.reader.terms(inlines), font, ink, width, strong, app.lessons.focus);
  if (target.starts_with("https://") || target.starts_with("source:")) {
    app.copy(ui, target);  // there is no browser of ours; the address is on the clipboard
  } else if (!target.empty()) {
    follow(app, target);
  }
}

void draw_blocks_of(Ui& ui, App& app, const std::vector<Block>& blocks, float width, bool top);

void draw_code_block(Ui& ui, const Block& block, float width) {
  const auto& p = ui.palette();
  const float pad = ui.px(12), step = compat::font_size(ui.fonts.code) * 1.35f;
  const auto lines = report::wrap(block.text, width - 2 * pad, [&](std::string_view text) { return width_of(ui.fonts.code, text); });
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = step * static_cast<float>(lines.size()) + 2 * pad * 0.7f;
  ImGui::Dummy({width, height});
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + height}, colour(p.raised), ui.px(6));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool command = block.word == "console" && lines[i].starts_with("$ ");
    draw_text(ui.fonts.code, {at.x + pad, at.y + pad * 0.7f + step * static_cast<float>(i)}, colour(command ? p.accent : p.text), lines[i]);
  }
}

/// Natural widths, or as much of them as fits, taken from the widest columns.
std::vector<float> table_widths(const Ui& ui, const App& app, const Block& table, float room) {
  std::vector<float> out(table.rows[0].size(), ui.px(24));
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < std::min(out.size(), row.size()); ++c) out[c] = std::max(out[c], app.lessons.flow.natural_width(ui, row[c], ui.fonts.body));
  const float least = ui.px(72);
  for (int i = 0; i < 4000 && std::accumulate(out.begin(), out.end(), 0.0f) > room; ++i) {
    float& widest = *std::max_element(out.begin(), out.end());
    if (widest <= least) break;
    widest -= ui.px(4);
  }
  return out;
}

void draw_table(Ui& ui, App& app, const Block& table, float width) {
  const auto& p = ui.palette();
  const float gap = ui.px(18);
  const auto widths = table_widths(ui, app, table, width - gap * static_cast<float>(table.rows[0].size() - 1));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), 0));
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    float x = at.x, bottom = at.y;
    for (std::size_t c = 0; c < table.rows[r].size(); ++c) {
      ImGui::SetCursorScreenPos({x, at.y + ui.px(3)});
      ImGui::BeginGroup();
      text_of(ui, app, table.rows[r][c], ui.fonts.body, r == 0 ? p.muted : p.text, widths[c]);
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

void draw_list(Ui& ui, App& app, const Block& list, float width) {
  int number = list.start;
  const float indent = ui.px(list.ordered ? 26 : 20);
  for (const Block& item : list.children) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string mark = list.ordered ? std::to_string(number++) + "." : "•";
    draw_text(ui.fonts.body, {at.x + ui.px(2), at.y}, colour(ui.palette().muted), mark);
    ImGui::SetCursorScreenPos({at.x + indent, at.y});
    ImGui::BeginGroup();
    draw_blocks_of(ui, app, item.children, width - indent, false);
    ImGui::EndGroup();
    ImGui::SetCursorScreenPos({at.x, ImGui::GetItemRectMax().y});
    ImGui::Dummy({width, 1});
  }
}

void draw_callout(Ui& ui, App& app, const Block& block, float width) {
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
  draw_blocks_of(ui, app, block.children, width - 2 * pad, false);
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y + pad * 0.6f;
  draw.ChannelsSetCurrent(0);
  draw.AddRectFilled(at, {at.x + width, bottom}, colour(mix(p.ground, hue, 0.10f)), ui.px(6));
  draw.AddRectFilled(at, {at.x + ui.px(3), bottom}, colour(hue));
  draw.ChannelsMerge();
  ImGui::SetCursorScreenPos({at.x, bottom});
  ImGui::Dummy({width, 1});
}

void draw_block(Ui& ui, App& app, const Block& block, float width) {
  const auto& p = ui.palette();
  switch (block.kind) {
    case Block::Kind::heading:
      ImGui::Dummy({1, ui.px(block.level <= 2 ? 12 : 4)});
      text_of(ui, app, block.inlines, block.level <= 2 ? ui.fonts.title : ui.fonts.body, p.text, width, block.level > 2);
      break;
    case Block::Kind::paragraph: text_of(ui, app, block.inlines, ui.fonts.body, p.text, width); break;
    case Block::Kind::code: draw_code_block(ui, block, width); break;
    case Block::Kind::table: draw_table(ui, app, block, width); break;
    case Block::Kind::list: draw_list(ui, app, block, width); break;
    case Block::Kind::callout: draw_callout(ui, app, block, width); break;
    case Block::Kind::rule: hairline(ui); break;
    case Block::Kind::item:
    case Block::Kind::live:
    case Block::Kind::figure: break;
  }
}

void draw_blocks_of(Ui& ui, App& app, const std::vector<Block>& blocks, float width, bool top) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), ui.px(top ? 12 : 6)));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    if (block.kind == Block::Kind::figure || (top && i == 0 && block.kind == Block::Kind::heading)) continue;  // the title stands in the head
    ImGui::PushID(static_cast<int>(i));
    if (block.kind == Block::Kind::live) draw_live(ui, app, i, block.live, width);
    else draw_block(ui, app, block, width);
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
}

void take_reading_keys(Ui& ui, App& app, float page_height) {
  LessonPage& page = app.lessons;
  const float line_height = ui.px(kLine);
  for (const KeyPress& press : ui.keys) {
    if (press.key == GLFW_KEY_DOWN) page.scroll_by += line_height * 2;
    if (press.key == GLFW_KEY_UP) page.scroll_by -= line_height * 2;
    if (press.key == GLFW_KEY_PAGE_DOWN) page.scroll_by += page_height - line_height * 2;
    if (press.key == GLFW_KEY_PAGE_UP) page.scroll_by -= page_height - line_height * 2;
    if (press.key == GLFW_KEY_HOME) page.scroll_by = -1e6f;
    if (press.key == GLFW_KEY_END) page.scroll_by = 1e6f;
  }
  if (ui.pressed(GLFW_KEY_L) || ui.pressed(GLFW_KEY_BACKSPACE)) open_lesson(app, {});
  if (ui.pressed(GLFW_KEY_N))
    if (const auto* next = page.reader.neighbour(+1)) open_lesson(app, std::string(next->id));
  if (ui.pressed(GLFW_KEY_P))
    if (const auto* before = page.reader.neighbour(-1)) open_lesson(app, std::string(before->id));
}

void scroll(LessonPage& page) {
  if (page.to_top) ImGui::SetScrollY(0);
  else if (page.scroll_by != 0) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + page.scroll_by, 0.0f, ImGui::GetScrollMaxY()));
  page.to_top = false;
  page.scroll_by = 0;
}

/// A button that stands in the order of the keyboard.
bool head_button(Ui& ui, LessonPage& page, const char* id, const std::string& label, bool enabled) {
  if (!enabled) return false;
  const bool clicked = button(ui, id, label);
  const bool here = page.focus.next();
  if (here) draw_focus(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  ImGui::SameLine(0, ui.px(8));
  return clicked || (here && page.focus.entered());
}

void draw_page(Ui& ui, App& app, Rect rect) {
  LessonPage& page = app.lessons;
  const auto& p = ui.palette();
  const content::Lesson& lesson = *page.reader.lesson();
  const auto language = ui.text.language();
  const float margin = ui.px(16), head = ui.px(82);
  ImGui::SetCursorPos({margin, ui.px(8)});
  line(ui, ui.fonts.title, p.text, lesson.title.in(language), rect.w - 2 * margin);
  ImGui::SetCursorPos({margin, ui.px(42)});
  if (head_button(ui, page, "list", ui.text("lesson.all"), true)) open_lesson(app, {});
  const auto* before = page.reader.neighbour(-1);
  const auto* next = page.reader.neighbour(+1);
  if (head_button(ui, page, "before", ui.text("lesson.before"), before != nullptr)) open_lesson(app, std::string(before->id));
  if (head_button(ui, page, "next", ui.text("lesson.next_one"), next != nullptr)) open_lesson(app, std::string(next->id));
  const std::string keys = ui.text("lesson.keys"), minutes = ui.text("lesson.minutes", {{"n", std::to_string(lesson.minutes)}});
  const float room = rect.w - margin - ImGui::GetCursorPosX();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(5));
  line(ui, ui.fonts.small, p.muted, room > width_of(ui.fonts.small, minutes + "   " + keys) ? minutes + "   " + keys : minutes, std::max(1.0f, room));

  begin_area(ui, "page", {0, head, rect.w, rect.h - head}, false, true);
  scroll(page);
  const content::Document* document = page.reader.document(ui.text);
  const float width = std::min(ui.px(kReadable), rect.w - 2 * margin - ui.px(8));
  ImGui::SetCursorPos({margin, ui.px(4)});
  ImGui::BeginGroup();
  if (document) draw_blocks_of(ui, app, document->blocks, width, true);
  else if (page.reader.error()) paragraph(ui, ui.fonts.body, p.bad, ui.text(*page.reader.error()), width);
  ImGui::Dummy({1, ui.px(8)});
  if (document && next) {
    const std::string label = ui.text("lesson.next") + "  " + next->title.in(language);
    if (head_button(ui, page, "onwards", label, true)) open_lesson(app, std::string(next->id));
  }
  ImGui::Dummy({1, ui.px(32)});
  ImGui::EndGroup();
  end_area();
}

void draw_list_of_lessons(Ui& ui, App& app, Rect rect) {
  LessonPage& page = app.lessons;
  const auto& p = ui.palette();
  const float margin = ui.px(16), width = std::min(ui.px(kReadable), rect.w - 2 * margin - ui.px(8));
  ImGui::SetCursorPos({margin, ui.px(8)});
  line(ui, ui.fonts.title, p.text, ui.text("place.lessons"));
  begin_area(ui, "lessons", {0, ui.px(48), rect.w, rect.h - ui.px(48)}, false, true);
  scroll(page);
  ImGui::SetCursorPos({margin, ui.px(4)});
  ImGui::BeginGroup();
  if (page.reader.error()) paragraph(ui, ui.fonts.body, p.bad, ui.text(*page.reader.error()), width);
  std::string chosen;
  int number = 0;
  for (const auto& lesson : page.reader.lessons()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(lesson.id.c_str());
    ImGui::BeginGroup();
    const std::string minutes = ui.text("lesson.minutes", {{"n", std::to_string(lesson.minutes)}});
    line(ui, ui.fonts.body, p.text, std::to_string(++number) + "  " + lesson.title.in(ui.text.language()), width - width_of(ui.fonts.small, minutes) - ui.px(20));
    ImGui::SameLine(0, ui.px(12));
    line(ui, ui.fonts.small, p.muted, minutes);
    paragraph(ui, ui.fonts.small, p.muted, lesson.summary.in(ui.text.language()), width);
    ImGui::EndGroup();
    const ImVec2 after = ImGui::GetCursorScreenPos();
    ImGui::SetCursorScreenPos({at.x - ui.px(8), at.y - ui.px(4)});
    const bool clicked = ImGui::InvisibleButton("lesson", {width + ui.px(16), std::max(1.0f, after.y - at.y)});
    const bool hovered = ImGui::IsItemHovered(), here = page.focus.next();
    if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (hovered) ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), colour(p.text, 0.05f), ui.px(6));
    if (here) {
      draw_focus(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
      if (page.focus.arrived()) ImGui::SetScrollHereY(0.5f);
    }
    if (clicked || (here && page.focus.entered())) chosen = lesson.id;
    ImGui::SetCursorScreenPos(after);
    ImGui::Dummy({1, ui.px(6)});
    ImGui::PopID();
  }
  ImGui::EndGroup();
  end_area();
  if (!chosen.empty()) open_lesson(app, chosen);
}

}  // namespace

void draw_lessons(Ui& ui, App& app, Rect rect) {
  LessonPage& page = app.lessons;
  if (page.generation != page.reader.generation() || page.scale != ui.theme.scale()) {
    page.flow.forget();
    page.drawn.clear();
    page.generation = page.reader.generation();
    page.scale = ui.theme.scale();
  }
  page.focus.begin_frame(ui);
  begin_area(ui, "lessons-place", rect);
  take_reading_keys(ui, app, rect.h - ui.px(82));
  if (page.reader.lesson()) draw_page(ui, app, {0, 0, rect.w, rect.h});
  else draw_list_of_lessons(ui, app, {0, 0, rect.w, rect.h});
  end_area();
  if (!page.asked) return;
  page.asked->empty() ? page.reader.close() : page.reader.open(*page.asked);
  page.asked.reset();
  page.focus.leave();
  page.to_top = true;
  ui.moving = true;  // the next frame shows it
}

}  // namespace p2plab::gui
