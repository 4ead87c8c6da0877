// The grid, and who is drawn where.
#include "app/gui/shell.h"

#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/gui/imgui_compat.h"
#include "app/gui/model/layout.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"

namespace p2plab::gui {
namespace {

Rect scaled(const Ui& ui, Rect r) { return {ui.px(r.x), ui.px(r.y), ui.px(r.right()) - ui.px(r.x), ui.px(r.bottom()) - ui.px(r.y)}; }

Layout scaled(const Ui& ui, Layout at) {
  for (Rect* r : {&at.navigation, &at.header, &at.walkthrough, &at.timeline, &at.tabs, &at.right}) *r = scaled(ui, *r);
  return at;
}

bool has(const std::vector<KeyPress>& keys, int key, int mods) {
  return std::any_of(keys.begin(), keys.end(), [&](const KeyPress& press) { return press.key == key && (press.mods & (GLFW_MOD_CONTROL | GLFW_MOD_SHIFT)) == mods; });
}

void switch_language(Ui& ui, App& app) {
  app.wanted.language = ui.text.language() == content::Language::zh ? content::Language::en : content::Language::zh;
}

/// Which tabs there are: the code where it has no column, the timeline where it has no place of its own.
std::vector<Tab> tabs_of(const Layout& at) {
  std::vector<Tab> out{Tab::numbers, Tab::wait_for, Tab::bytes, Tab::log};
  if (!at.right_column) out.push_back(Tab::code);
  if (at.stacked) out.insert(out.begin(), Tab::timeline);
  return out;
}

int index_of(const std::vector<Tab>& all, Tab tab) {
  const auto found = std::find(all.begin(), all.end(), tab);
  return found == all.end() ? 0 : static_cast<int>(found - all.begin());
}

void switch_tab(App& app, const std::vector<Tab>& all, int by) {
  const int count = static_cast<int>(all.size());
  app.model.tab = all[static_cast<std::size_t>((index_of(all, app.model.tab) + by + count) % count)];
}

/// A window that has become low shows the timeline first, one that has become tall again needs no tab for it.
void settle_tab(App& app, const Layout& at) {
  if (at.stacked && !app.was_stacked && app.model.tab == Tab::numbers && !app.tab_asked) app.model.tab = Tab::timeline;
  app.was_stacked = at.stacked;
  const auto all = tabs_of(at);
  if (std::find(all.begin(), all.end(), app.model.tab) == all.end()) app.model.tab = Tab::numbers;
}

void step_demo(App& app, int by) {
  const auto count = static_cast<int>(app.model.demos().size());
  if (count == 0) return;
  app.model.leave_walkthrough();
  app.model.choose_demo(static_cast<std::size_t>((static_cast<int>(app.model.demo_index()) + by + count) % count));
}

ShellResult take_keys(Ui& ui, App& app, const Layout& at) {
  ShellResult out;
  const auto& keys = ui.keys;
  out.quit = has(keys, GLFW_KEY_Q, GLFW_MOD_CONTROL);
  out.screenshot = ui.pressed(GLFW_KEY_F12);
  if (has(keys, GLFW_KEY_S, GLFW_MOD_CONTROL)) app.save_trace(ui);
  if (ui.typed('?') || ui.pressed(GLFW_KEY_F1)) app.model.show_help = !app.model.show_help;
  if (ui.pressed(GLFW_KEY_ESCAPE)) {
    if (app.model.show_help) app.model.show_help = false;
    else if (app.model.place == Place::drill && app.drill.asking() && !ImGui::GetIO().WantTextInput) app.drill.leave();  // a field takes it first
    else if (app.model.place == Place::labs && app.labs.model.checking()) app.labs.model.cancel();
    else if (app.edit.is_open()) app.edit.close();
    else if (app.session.error()) app.session.clear_error();
    else if (app.model.walkthrough()) app.model.leave_walkthrough();
    else app.selected = trace::kNoIndex;
  }
  const bool reading = app.model.place == Place::lessons || app.model.place == Place::labs || app.model.place == Place::claims || app.model.place == Place::drill;  // their keys are their own
  const bool card = app.model.place == Place::drill && app.drill.asking();                      // digits and letters, too
  if (!reading && (ui.pressed(GLFW_KEY_SPACE) || ui.pressed(GLFW_KEY_F5))) app.run_or_cancel();
  for (int i = 0; i < kPlaces; ++i)
    if (!card && ui.pressed(GLFW_KEY_1 + i)) app.model.place = static_cast<Place>(i);
  if (!card && ui.typed('[')) step_demo(app, -1);
  if (!card && ui.typed(']')) step_demo(app, +1);
  if (!reading && ui.pressed(GLFW_KEY_TAB)) switch_tab(app, tabs_of(at), has(keys, GLFW_KEY_TAB, GLFW_MOD_SHIFT) ? -1 : 1);
  if (ui.pressed(GLFW_KEY_F2)) switch_language(ui, app);
  if (ui.pressed(GLFW_KEY_F3)) app.wanted.theme = ui.theme.which() == report::Theme::dark ? report::Theme::light : report::Theme::dark;
  if (ui.pressed(GLFW_KEY_F4)) app.wanted.motion = !app.wanted.motion;
  if (!card && ui.pressed(GLFW_KEY_O)) {
    app.model.place = Place::traces;
    app.focus_path = true;
  }
  if (!card && ui.pressed(GLFW_KEY_G) && !app.model.walkthroughs().empty()) {
    const auto count = app.model.walkthroughs().size();
    const auto* now = app.model.walkthrough();
    const std::size_t next = now ? (static_cast<std::size_t>(now - app.model.walkthroughs().data()) + 1) % count : 0;
    app.enter(app.model.start_walkthrough(next));
  }
  const auto scale_by = [&](float by) { app.wanted.scale = std::clamp(app.wanted.scale + by, 1.0f, 2.5f); };
  if (has(keys, GLFW_KEY_EQUAL, GLFW_MOD_CONTROL) || has(keys, GLFW_KEY_EQUAL, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT) || has(keys, GLFW_KEY_KP_ADD, GLFW_MOD_CONTROL)) scale_by(0.25f);
  if (has(keys, GLFW_KEY_MINUS, GLFW_MOD_CONTROL) || has(keys, GLFW_KEY_KP_SUBTRACT, GLFW_MOD_CONTROL)) scale_by(-0.25f);
  if (has(keys, GLFW_KEY_0, GLFW_MOD_CONTROL)) app.wanted.scale = 1;
  return out;
}

/// `scrolls`: in a tab the code takes what is in sight, and the rest comes below.
void draw_right(Ui& ui, App& app, float height, bool scrolls) {
  if (app.edit.is_open()) {
    draw_code(ui, app, scrolls ? std::max(height, ui.px(240)) : height * 0.68f);
    ImGui::Dummy({1, ui.px(6)});
    return draw_verdict(ui, app);
  }
  // Selection and verdict are seen whole where that leaves the code a third; the code takes what they leave.
  const float gap = ImGui::GetStyle().ItemSpacing.y;
  if (scrolls) draw_code(ui, app, std::max(height - ui.px(8), ui.px(130)));
  else draw_code(ui, app, app.below_code > 0 ? std::clamp(height - app.below_code - gap, height * 0.34f, height * 0.66f) : height * 0.5f);
  const float top = ImGui::GetCursorPosY();
  ImGui::Dummy({1, ui.px(2)});
  hairline(ui);
  ImGui::Dummy({1, ui.px(2)});
  draw_selection(ui, app);
  ImGui::Dummy({1, ui.px(6)});
  if (app.seek_verdict) ImGui::SetScrollHereY(0);
  app.seek_verdict = false;
  draw_verdict(ui, app);
  const float below = ImGui::GetCursorPosY() - top;
  if (below != app.below_code) ui.moving = true;  // the next frame shares the height anew
  app.below_code = below;
}

void draw_tabs(Ui& ui, App& app, const Layout& at) {
  if (at.stacked) ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(10), ui.px(4)));
  begin_panel(ui, "tabs", at.tabs, false);
  if (at.stacked) ImGui::PopStyleVar();
  auto& model = app.model;
  const auto* graph = app.session.wait_for();
  const auto all = tabs_of(at);
  std::vector<TabItem> items;
  for (const Tab tab : all)
    items.push_back({ui.text("tab." + std::string(to_string(tab))), tab == Tab::wait_for && graph && !graph->stuck.empty() && model.tab != tab});
  // Without the right column the verdict stands at the end of the tabs, or above them when they need the width; in a low
  // window it stands in the header.
  float width = ImGui::GetContentRegionAvail().x;
  if (const float strip = !at.right_column && !at.stacked ? verdict_strip_width(ui, app) : 0; strip > 0) {
    const ImVec2 start = ImGui::GetCursorPos();
    const bool beside = tabs_width(ui, items) + strip <= width;
    if (beside) ImGui::SetCursorPos({start.x + width - strip, start.y});
    draw_verdict_strip(ui, app);
    if (beside) {
      ImGui::SetCursorPos(start);
      width -= strip;
    }
  }
  model.tab = all[static_cast<std::size_t>(tabs(ui, "tabs", items, index_of(all, model.tab), width))];
  const ImVec2 from = ImGui::GetCursorPos(), room = ImGui::GetContentRegionAvail();
  begin_area(ui, to_string(model.tab).data(), {from.x, from.y, room.x, room.y}, false, model.tab != Tab::timeline);
  switch (model.tab) {
    case Tab::numbers: draw_numbers(ui, app); break;
    case Tab::wait_for: draw_wait_for(ui, app); break;
    case Tab::bytes: draw_bytes(ui, app); break;
    case Tab::log: draw_log(ui, app); break;
    case Tab::code: draw_right(ui, app, room.y, true); break;
    case Tab::timeline: draw_timeline_here(ui, app); break;
  }
  end_area();
  end_panel();
}

void draw_notice(Ui& ui, App& app) {
  if (app.notice.empty() || ui.seconds > app.notice_until) return;
  ui.moving = true;
  auto& draw = *ImGui::GetForegroundDrawList();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = width_of(ui.fonts.body, app.notice) + ui.px(32), height = ui.px(36);
  const ImVec2 at{(screen.x - width) / 2, screen.y - height - ui.px(32)};
  draw.AddRectFilled(at, {at.x + width, at.y + height}, colour(ui.palette().text), ui.px(6));
  draw.AddText(ui.fonts.body, compat::font_size(ui.fonts.body), {at.x + ui.px(16), at.y + (height - compat::font_size(ui.fonts.body)) / 2},
               colour(ui.palette().ground), app.notice.c_str());
}

}  // namespace

ShellResult draw_shell(Ui& ui, App& app) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float scale = ui.theme.scale();
  Layout plain = lay_out(screen.x / scale, screen.y / scale, header_height(ui, 1) / scale, 0);
  const int lines = conditions_lines(ui, app, ui.px(plain.header.w), screen.y);
  const bool low_guide = plain.stacked || screen.y / scale < kLowGuideUnder;
  const bool guided = app.model.place == Place::demos && app.model.step();
  plain = lay_out(screen.x / scale, screen.y / scale, header_height(ui, lines) / scale, guided ? guide_height(ui, app, ui.px(plain.header.w), low_guide) / scale : 0);
  const Layout at = scaled(ui, plain);
  ShellResult result = take_keys(ui, app, at);
  settle_tab(app, at);
  app.follow_file();
  app.follow_demo();

  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(screen);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::Begin("lab", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar(2);
  draw_navigation(ui, app, at);
  const bool file = app.model.place == Place::traces && !app.session.file().empty();
  if (app.model.place == Place::demos || file) {
    if (file) draw_traces(ui, app, at.header, lines);
    else draw_header(ui, app, at.header, at.stacked, lines);
    if (at.walkthrough.h > 0) draw_guide(ui, app, at.walkthrough, low_guide);
    if (!at.stacked) draw_timeline(ui, app, at.timeline);
    draw_tabs(ui, app, at);
    if (at.right_column) {
      begin_panel(ui, "right", at.right);
      draw_right(ui, app, at.right.h - ui.px(24), false);
      end_panel();
    }
  } else if (app.model.place == Place::traces) {
    draw_traces(ui, app, {at.header.x, at.header.y, at.header.w, screen.y - ui.px(16)}, 1);
  } else if (app.model.place == Place::lessons) {
    draw_lessons(ui, app, {at.header.x, at.header.y, at.header.w, screen.y - at.header.y});
  } else if (app.model.place == Place::claims) {
    draw_claims(ui, app, {at.header.x, at.header.y, at.header.w, screen.y - at.header.y});
  } else if (app.model.place == Place::labs) {
    draw_labs(ui, app, {at.header.x, at.header.y, at.header.w, screen.y - at.header.y});
  } else if (app.model.place == Place::drill) {
    draw_drill(ui, app, {at.header.x, at.header.y, at.header.w, screen.y - at.header.y - ui.px(16)});
  }
  app.labs.visible = app.model.place == Place::labs;
  ImGui::End();
  if (app.model.show_help) draw_help(ui, app);
  draw_notice(ui, app);
  // A popup, the keys or a notice may lie over the timeline and move: then all is drawn.
  const bool covered = app.model.show_help || ui.seconds <= app.notice_until || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  if (app.model.place == Place::demos && !covered) {
    result.live = at.timeline;
    if (app.model.tab != Tab::numbers || at.stacked) result.live->h = at.tabs.bottom() - at.timeline.y;
  }
  return result;
}

}  // namespace p2plab::gui
