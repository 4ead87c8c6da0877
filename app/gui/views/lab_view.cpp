// The place of labs: the list, or one lab with its task, its hints, what its check has found, and the run that shows it.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/content/nearest.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/views/lab_parts.h"
#include "app/gui/views/reading.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"
#include "app/report/lab_text.h"

namespace p2plab::gui {
namespace {

constexpr float kTwoColumnsFrom = 860;   ///< design pixels of width
constexpr float kTwoColumnsHigh = 300;   ///< and of height below the head
constexpr float kScrollLine = 48;

void scroll_page(LabPage& page) {
  if (page.to_top) ImGui::SetScrollY(0);
  else if (page.scroll_by != 0) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + page.scroll_by, 0.0f, ImGui::GetScrollMaxY()));
  page.to_top = false;
  page.scroll_by = 0;
}

void take_scroll_keys(const Ui& ui, LabPage& page, float height) {
  for (const KeyPress& press : ui.keys) {
    if (press.key == GLFW_KEY_DOWN) page.scroll_by += ui.px(kScrollLine);
    if (press.key == GLFW_KEY_UP) page.scroll_by -= ui.px(kScrollLine);
    if (press.key == GLFW_KEY_PAGE_DOWN) page.scroll_by += height * 0.8f;
    if (press.key == GLFW_KEY_PAGE_UP) page.scroll_by -= height * 0.8f;
    if (press.key == GLFW_KEY_HOME) page.scroll_by = -1e6f;
    if (press.key == GLFW_KEY_END) page.scroll_by = 1e6f;
  }
}

/// One lab of the list: title, state, summary, what comes before it. True when it was chosen.
bool lab_row(Ui& ui, LabPage& page, const check::LabManifest& lab, float width) {
  const auto& p = ui.palette();
  const check::LabState& state = page.model.state(lab.id);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(lab.id.c_str());
  ImGui::BeginGroup();
  std::string word = ui.text("lab.state_" + lab_state_word(state));
  if (!state.passed && state.checks > 0) word += "  " + ui.text("labs.best", {{"percent", std::to_string(static_cast<int>(state.best * 100 + 0.5))}});
  const float right = width_of(ui.fonts.small, word), indent = ui.px(22);
  if (state.passed) draw_icon(*ImGui::GetWindowDrawList(), Icon::check, {at.x + ui.px(7), at.y + compat::font_size(ui.fonts.body) / 2}, ui.px(12), colour(p.good));
  else if (lab_state_word(state) == "started") ImGui::GetWindowDrawList()->AddCircleFilled({at.x + ui.px(7), at.y + compat::font_size(ui.fonts.body) / 2}, ui.px(4), colour(p.accent));
  ImGui::SetCursorScreenPos({at.x + indent, at.y});
  line(ui, ui.fonts.body, p.text, lab.id.substr(0, lab.id.find('-')) + "  " + lab.title.in(ui.text.language()), width - indent - right - ui.px(16));
  ImGui::SameLine(0, ui.px(12));
  line(ui, ui.fonts.small, lab_state_ink(ui, state), word);
  ImGui::SetCursorScreenPos({at.x + indent, ImGui::GetCursorScreenPos().y});
  paragraph(ui, ui.fonts.small, p.muted, lab.summary.in(ui.text.language()), width - indent);
  ImGui::EndGroup();
  const ImVec2 after = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({at.x - ui.px(8), at.y - ui.px(4)});
  const bool clicked = ImGui::InvisibleButton("lab", {width + ui.px(16), std::max(1.0f, after.y - at.y)});
  const bool hovered = ImGui::IsItemHovered(), here = page.focus.next();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (hovered) ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), colour(p.text, 0.05f), ui.px(6));
  if (!lab.requires_labs.empty()) tooltip(ui, ui.text("lab.needs", {{"labs", content::join(lab.requires_labs)}}));
  if (here) {
    draw_focus(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    if (page.focus.arrived()) ImGui::SetScrollHereY(0.5f);
  }
  ImGui::SetCursorScreenPos(after);
  ImGui::Dummy({1, ui.px(6)});
  ImGui::PopID();
  return clicked || (here && page.focus.entered());
}

void draw_list_of_labs(Ui& ui, App& app, Rect rect) {
  LabPage& page = app.labs;
  const auto& p = ui.palette();
  const float margin = ui.px(16), width = std::min(ui.px(kReadable), rect.w - 2 * margin - ui.px(8));
  const auto& labs = page.model.all();
  const auto passed = std::count_if(labs.begin(), labs.end(), [&](const auto& lab) { return page.model.state(lab.id).passed; });
  ImGui::SetCursorPos({margin, ui.px(8)});
  line(ui, ui.fonts.title, p.text, ui.text("place.labs"));
  ImGui::SameLine(0, ui.px(16));
  ImGui::SetCursorPosY(ui.px(16));
  line(ui, ui.fonts.small, p.muted, ui.text("labs.passed_of", {{"passed", std::to_string(passed)}, {"count", std::to_string(labs.size())}}));
  const float head = ui.px(48);
  take_scroll_keys(ui, page, rect.h - head);
  begin_area(ui, "labs", {0, head, rect.w, rect.h - head}, false, true);
  scroll_page(page);
  ImGui::SetCursorPos({margin, ui.px(4)});
  ImGui::BeginGroup();
  if (page.model.error()) paragraph(ui, ui.fonts.body, p.bad, ui.text(*page.model.error()), width);
  for (const auto& each : page.model.broken()) paragraph(ui, ui.fonts.small, p.bad, ui.text(each.why), width);
  if (page.model.problem()) paragraph(ui, ui.fonts.small, p.bad, ui.text(*page.model.problem()), width);
  for (const auto& lab : labs)
    if (lab_row(ui, page, lab, width)) page.asked = lab.id;
  ImGui::EndGroup();
  end_area();
}

/// The hints that have been read, and the next one when it is asked for.
void draw_hints(Ui& ui, LabPage& page, float width) {
  const auto& p = ui.palette();
  const auto& lab = *page.model.lab();
  const int read = page.model.hints(), all = static_cast<int>(lab.hints.size());
  if (read == 0) paragraph(ui, ui.fonts.body, p.muted, ui.text("labs.hints_none"), width);
  for (int i = 0; i < read; ++i) {
    const std::string hint = lab.hints[static_cast<std::size_t>(i)].in(ui.text.language());
    line(ui, ui.fonts.small, p.accent, ui.text("lab.hint_of", {{"rung", std::to_string(i + 1)}}), width);
    if (hint.find('\n') != std::string::npos) draw_code_box(ui, hint, width);  // the skeleton
    else paragraph(ui, ui.fonts.body, p.text, hint, width);
    ImGui::Dummy({1, ui.px(8)});
  }
  if (read < all && focus_button(ui, page.focus, "next-hint", ui.text("labs.next_hint", {{"rung", std::to_string(read + 1)}, {"count", std::to_string(all)}}))) page.model.next_hint();
}

void draw_solution(Ui& ui, LabPage& page, float width) {
  const auto& p = ui.palette();
  if (!page.model.solution().empty()) return draw_code_box(ui, page.model.solution(), width);
  paragraph(ui, ui.fonts.body, p.muted, ui.text("labs.solution_early"), width);
  ImGui::Dummy({1, ui.px(4)});
  if (focus_button(ui, page.focus, "solution-anyway", ui.text("labs.solution_anyway"))) page.model.show_solution();
}

void draw_chosen_text(Ui& ui, App& app, float width) {
  LabPage& page = app.labs;
  switch (page.model.shown) {
    case LabText::task:
      if (const auto* task = page.model.task(ui.text.language()))
        draw_document(ui, app, {page.flow, page.focus, [&](const content::Inlines& inlines) -> const std::vector<MarkedTerm>& { return page.model.terms(inlines); }}, *task, width);
      else if (page.model.error()) paragraph(ui, ui.fonts.body, ui.palette().bad, ui.text(*page.model.error()), width);
      break;
    case LabText::hints: draw_hints(ui, page, width); break;
    case LabText::solution: draw_solution(ui, page, width); break;
  }
  ImGui::Dummy({1, ui.px(24)});
}

void choose_text(LabPage& page, int chosen) {
  const auto text = static_cast<LabText>(chosen);
  if (text == page.model.shown) return;
  page.to_top = true;
  page.model.shown = text;
  if (text == LabText::solution && page.model.may_see_solution() && page.model.solution().empty()) page.model.show_solution();
}

std::vector<TabItem> text_tabs(const Ui& ui, const LabPage& page) {
  const auto count = std::to_string(page.model.lab()->hints.size());
  return {{ui.text("labs.tab_task"), false}, {ui.text("labs.tab_hints", {{"read", std::to_string(page.model.hints())}, {"count", count}}), false}, {ui.text("labs.tab_solution"), false}};
}

/// The scrolled content of a panel below its tabs.
template <class Draw>
void below_tabs(const Ui& ui, const char* id, Draw draw) {
  const ImVec2 from = ImGui::GetCursorPos(), room = ImGui::GetContentRegionAvail();
  begin_area(ui, id, {from.x, from.y, room.x, room.y}, false, true);
  const float width = std::min(ui.px(kReadable), ImGui::GetContentRegionAvail().x - ui.px(10));
  ImGui::BeginGroup();
  draw(width);
  ImGui::EndGroup();
  end_area();
}

void draw_two_columns(Ui& ui, App& app, Rect rect) {
  LabPage& page = app.labs;
  const float gap = ui.px(8), left = (rect.w - gap) * 0.46f, right = rect.w - gap - left;
  begin_panel(ui, "lab-text", {rect.x, rect.y, left, rect.h}, false);
  choose_text(page, tabs(ui, "texts", text_tabs(ui, page), static_cast<int>(page.model.shown), ImGui::GetContentRegionAvail().x));
  below_tabs(ui, "lab-text-body", [&](float width) {
    scroll_page(page);
    draw_chosen_text(ui, app, width);
  });
  end_panel();
  const bool shows_run = page.trace != nullptr;
  const float upper = shows_run ? (rect.h - gap) * 0.52f : rect.h;
  begin_panel(ui, "lab-result", {rect.x + left + gap, rect.y, right, upper});
  draw_lab_result(ui, app, ImGui::GetContentRegionAvail().x - ui.px(8));
  end_panel();
  if (!shows_run) return;
  begin_panel(ui, "lab-run", {rect.x + left + gap, rect.y + upper + gap, right, rect.h - upper - gap}, false);
  draw_lab_timeline(ui, app);
  end_panel();
}

void draw_one_panel(Ui& ui, App& app, Rect rect) {
  LabPage& page = app.labs;
  if (page.tab == LabTab::timeline && !page.trace) page.tab = LabTab::result;
  std::vector<TabItem> items = text_tabs(ui, page);
  const auto& result = page.model.result();
  items.push_back({ui.text("labs.tab_result"), result && page.tab == LabTab::text && result->verdict != analysis::Verdict::pass});
  if (page.trace) items.push_back({ui.text("tab.timeline"), false});
  begin_panel(ui, "lab-panel", rect, false);
  const int now = page.tab == LabTab::text ? static_cast<int>(page.model.shown) : 2 + static_cast<int>(page.tab);
  const int chosen = tabs(ui, "panel", items, now, ImGui::GetContentRegionAvail().x);
  if (chosen != now) page.to_top = true;
  page.tab = chosen <= 2 ? LabTab::text : static_cast<LabTab>(chosen - 2);
  if (chosen <= 2) choose_text(page, chosen);
  if (page.tab == LabTab::timeline) {
    draw_lab_timeline(ui, app);
  } else {
    below_tabs(ui, page.tab == LabTab::text ? "lab-text-body" : "lab-result-body", [&](float width) {
      scroll_page(page);
      page.tab == LabTab::text ? draw_chosen_text(ui, app, width) : draw_lab_result(ui, app, width);
    });
  }
  end_panel();
}

/// From the first message to the last: beside the end of MPI they are often too small to be seen.
LabPage::Wanted exchanges(const trace::Trace& trace) {
  LabPage::Wanted out;
  for (const trace::Message& message : trace.messages()) {
    if (message.send == trace::kNoIndex || message.receive == trace::kNoIndex) continue;
    const trace::Span &send = trace.span(message.send), &receive = trace.span(message.receive);
    out.begin = out.end == 0 ? send.begin : std::min(out.begin, send.begin);
    out.end = std::max({out.end, send.open() ? 0 : send.end, receive.open() ? 0 : receive.end});
  }
  return out;
}

/// A result that has come since the last frame is shown: its first failure, and the run that it was seen in.
void take_up_result(LabPage& page) {
  if (page.results == page.model.results()) return;
  page.results = page.model.results();
  page.trace.reset();
  page.wanted.reset();
  page.timeline.reset();
  const auto& result = page.model.result();
  if (!result) return;
  page.tab = LabTab::result;
  page.to_top = true;
  const check::LabOutcome* first = result->first_failure();
  if (first != nullptr && first->hidden) return;  // it never tells more than its verdict
  page.trace = result->trace && !result->trace->spans().empty() ? result->trace : nullptr;
  if (page.trace && first == nullptr) page.wanted = exchanges(*page.trace);
  if (first == nullptr || !page.trace || first->trace != page.trace) return;
  LabPage::Wanted wanted;
  std::tie(wanted.begin, wanted.end) = report::lab_window(*page.trace, *first);
  if (!first->spans.empty()) wanted.span = first->spans.front();
  for (const auto& finding : first->findings)
    for (const auto& site : finding.sites)
      if (wanted.span == trace::kNoIndex) wanted.span = site.span;
  page.wanted = wanted;
}

}  // namespace

void draw_labs(Ui& ui, App& app, Rect rect) {
  LabPage& page = app.labs;
  if (!page.visible) page.model.refresh();
  page.visible = true;
  if (page.generation != page.model.generation() || page.scale != ui.theme.scale()) {
    page.flow.forget();
    page.generation = page.model.generation();
    page.scale = ui.theme.scale();
  }
  take_up_result(page);
  page.focus.begin_frame(ui);
  begin_area(ui, "labs-place", rect);
  if (page.model.lab() != nullptr) {
    const float head = draw_lab_head(ui, app, {0, 0, rect.w, rect.h});
    take_scroll_keys(ui, page, rect.h - head);
    const Rect body{0, head, rect.w - ui.px(8), rect.h - head - ui.px(8)};
    if (rect.w >= ui.px(kTwoColumnsFrom) && body.h >= ui.px(kTwoColumnsHigh)) draw_two_columns(ui, app, body);
    else draw_one_panel(ui, app, body);
  } else {
    draw_list_of_labs(ui, app, {0, 0, rect.w, rect.h});
  }
  end_area();
  if (!page.asked) return;
  page.asked->empty() ? page.model.close() : page.model.open(*page.asked);
  if (page.asked->empty()) page.model.refresh();
  page.asked.reset();
  page.focus.leave();
  page.tab = LabTab::text;
  page.to_top = true;
  ui.moving = true;  // the next frame shows it
}

}  // namespace p2plab::gui
