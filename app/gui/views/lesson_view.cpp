// The place of lessons: the list, or the page of one with its head, drawn block by block.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/content/lesson_trail.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/views/lesson_parts.h"
#include "app/gui/views/reading.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"

namespace p2plab::gui {
namespace {

constexpr float kLine = 24;       ///< what the arrow keys move by

/// Once this frame is drawn: what is being drawn belongs to the lesson that is open.
void open_lesson(App& app, const std::string& id) { app.lessons.asked = id; }

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

/// A lesson whose end has been scrolled into sight has been read.
void note_the_end(const Ui& ui, LessonPage& page) {
  if (page.at_end || !page.reader.lesson() || page.reader.error() || ImGui::GetScrollMaxY() <= 0) return;
  if (ImGui::GetScrollY() < ImGui::GetScrollMaxY() - ui.px(kLine) * 2) return;
  page.at_end = true;
  page.log.read(page.reader.lesson()->id, ui.text.language());
}

/// Claims and cards about what the lesson answers, at its end.
void draw_trail(Ui& ui, App& app, LessonPage& page, float width) {
  app.drill.open(app.session.installation().assets());
  if (!app.drill.is_open() || !app.claims.reader.claims()) return;
  if (page.trail.blocks.empty() || page.trail_language != ui.text.language()) {
    page.flow.forget();  // it knows texts by their address
    page.trail = content::trail_text(content::trail_of(*page.reader.lesson(), *app.claims.reader.claims(), app.drill.cards()), ui.text);
    page.trail_language = ui.text.language();
  }
  static const std::vector<MarkedTerm> none;
  draw_document(ui, app, {page.flow, page.focus, [&](const content::Inlines&) -> const std::vector<MarkedTerm>& { return none; }}, page.trail, width);
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
  if (document)
    draw_document(ui, app, {page.flow, page.focus, [&](const content::Inlines& inlines) -> const std::vector<MarkedTerm>& { return page.reader.terms(inlines); },
                            [&](std::size_t index, const content::Live& live, float wide) { draw_live(ui, app, page, index, live, wide); }}, *document, width);
  else if (page.reader.error()) paragraph(ui, ui.fonts.body, p.bad, ui.text(*page.reader.error()), width);
  if (document) draw_trail(ui, app, page, width);
  ImGui::Dummy({1, ui.px(8)});
  if (document && next) {
    const std::string label = ui.text("lesson.next") + "  " + next->title.in(language);
    if (head_button(ui, page, "onwards", label, true)) open_lesson(app, std::string(next->id));
  }
  ImGui::Dummy({1, ui.px(32)});
  ImGui::EndGroup();
  note_the_end(ui, page);
  end_area();
}

/// "read 2026-12-01  2 of 3 predicted right", as far as it goes.
std::string reading_words(const Ui& ui, const content::ReadLesson& state) {
  std::string out = state.read ? ui.text("lesson.read_on", {{"day", content::to_string(*state.read)}}) : "";
  if (state.predicted > 0) out += (out.empty() ? "" : "   ") + ui.text("lesson.foreseen", {{"n", std::to_string(state.right)}, {"all", std::to_string(state.predicted)}});
  return out;
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
  if (page.log.not_saved()) paragraph(ui, ui.fonts.small, p.bad, ui.text("lesson.not_saved", {{"why", ui.text(*page.log.not_saved())}}), width);
  if (page.reader.error()) paragraph(ui, ui.fonts.body, p.bad, ui.text(*page.reader.error()), width);
  for (const auto& each : page.reader.left_out()) paragraph(ui, ui.fonts.small, p.bad, ui.text(each.why), width);
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
    if (const std::string words = reading_words(ui, page.log.state(lesson.id)); !words.empty()) line(ui, ui.fonts.small, p.good, words, width);
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
    page.at_end = false;
    page.trail = {};
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
