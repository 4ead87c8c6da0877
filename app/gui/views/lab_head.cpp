// The head of a lab's page: title and state, what can be done, and what was done last.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/gui/imgui_compat.h"
#include "app/gui/views/lab_parts.h"
#include "app/gui/widgets/basic.h"
#include "app/report/lab_text.h"

namespace p2plab::gui {
namespace {

/// Where the next button would not fit, it begins a line. `row` is where the line's buttons stand.
void flow_on(const Ui& ui, float width, float left, float right, float& row) {
  ImGui::SameLine(0, ui.px(8));
  if (ImGui::GetCursorPosX() + width > right) {
    ImGui::NewLine();
    row = ImGui::GetCursorPosY();
    ImGui::SetCursorPosX(left);
  }
  ImGui::SetCursorPosY(row);
}

/// Check, or stop what is being checked; start where nothing is begun.
void draw_main_button(Ui& ui, LabPage& page) {
  Labs& model = page.model;
  const ImVec2 size{ui.px(190), ui.px(32)};
  const bool begun = !model.folder().empty();
  const std::string label = ui.text(!begun ? "labs.start" : model.checking() ? "labs.stop" : "labs.check");
  const bool clicked = primary_button(ui, "lab-main", !begun ? Icon::none : model.checking() ? Icon::stop : Icon::play, label, size, model.checking());
  const bool here = page.focus.next();
  if (here) draw_focus(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  tooltip(ui, begun ? ui.text("labs.check_tip", {{"lab", model.lab()->id}}) : ui.text("labs.start_tip", {{"folder", model.folder_to_be().string()}}));
  const bool key = ui.pressed(GLFW_KEY_C) || ui.pressed(GLFW_KEY_SPACE) || ui.pressed(GLFW_KEY_F5);
  if (!clicked && !key && !(here && page.focus.entered())) return;
  if (!begun) model.start(ui.text.language());
  else if (model.checking()) model.cancel();
  else model.check();
}

void draw_lab_buttons(Ui& ui, App& app, float left, float right) {
  LabPage& page = app.labs;
  Labs& model = page.model;
  float row = ImGui::GetCursorPosY() + ui.px(3);  // in the middle of the main button's height
  draw_main_button(ui, page);
  const bool begun = !model.folder().empty();
  const auto place = [&](const std::string& label) { flow_on(ui, button_width(ui, label), left, right, row); };
  const auto act = [&](const char* id, const std::string& label, const std::string& tip, int key, bool on = false) {
    place(label);
    const bool chosen = focus_button(ui, page.focus, id, label, on);
    tooltip(ui, tip);
    return chosen || (key != 0 && ui.pressed(key));
  };
  if (begun) {
    if (act("watch", ui.text("labs.watch"), ui.text("labs.watch_tip") + (model.polls() ? "\n" + ui.text("lab.polling") : std::string()), GLFW_KEY_W, model.watches())) model.watch(!model.watches());
    if (act("edit", ui.text("labs.edit"), model.file().string(), GLFW_KEY_E)) model.edit();
  }
  const int read = model.hints(), all = static_cast<int>(model.lab()->hints.size());
  if (read < all && act("hint", ui.text("labs.next_hint", {{"rung", std::to_string(read + 1)}, {"count", std::to_string(all)}}), ui.text("labs.hint_tip"), GLFW_KEY_H)) {
    model.next_hint();
    page.tab = LabTab::text;
  }
  if (begun && act("reset", ui.text("labs.reset"), ui.text("labs.reset_tip"), 0)) model.reset(ui.text.language());
}

/// What goes on, went wrong, or was done last; else where the learner's file is.
void draw_status(Ui& ui, LabPage& page, float width) {
  const auto& p = ui.palette();
  const Labs& model = page.model;
  if (const auto* running = model.under_way()) {
    const auto now = running->now();
    const std::string words = running->cancelled() ? ui.text("labs.stopping")
                              : now                ? ui.text("labs.checking", {{"number", std::to_string(now->second + 1)}, {"case", report::lab_case_text(now->first, ui.text)}})
                                                   : ui.text("labs.building");
    line(ui, ui.fonts.small, p.accent, words, width);
  } else if (model.problem()) {
    paragraph(ui, ui.fonts.small, p.bad, ui.text(*model.problem()), width);
  } else if (model.said()) {
    paragraph(ui, ui.fonts.small, p.good, ui.text(*model.said()), width);
  } else if (model.watches()) {
    line(ui, ui.fonts.small, p.muted, ui.text("labs.watching", {{"file", model.file().string()}}), width);
  } else if (!model.folder().empty()) {
    line(ui, ui.fonts.small, p.muted, ui.text("labs.your_file", {{"file", model.file().string()}}), width);
  } else {
    line(ui, ui.fonts.small, p.muted, ui.text("labs.start_tip", {{"folder", model.folder_to_be().string()}}), width);
  }
}

}  // namespace

std::string lab_state_word(const check::LabState& state) { return state.passed ? "passed" : state.checks > 0 || !state.folder.empty() ? "started" : "new"; }

report::Rgb lab_state_ink(const Ui& ui, const check::LabState& state) {
  const std::string word = lab_state_word(state);
  return word == "passed" ? ui.palette().good : word == "started" ? ui.palette().accent : ui.palette().muted;
}

bool focus_button(Ui& ui, Focus& focus, const char* id, const std::string& label, bool on) {
  const bool clicked = button(ui, id, label, on);
  const bool here = focus.next();
  if (here) draw_focus(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  return clicked || (here && focus.entered());
}

float draw_lab_head(Ui& ui, App& app, Rect rect) {
  LabPage& page = app.labs;
  const auto& p = ui.palette();
  const float margin = ui.px(16), width = rect.w - 2 * margin;
  const auto& lab = *page.model.lab();
  const auto& state = page.model.state(lab.id);
  const std::string word = ui.text("lab.state_" + lab_state_word(state));
  const float right = width_of(ui.fonts.small, word) + ui.px(12);
  ImGui::SetCursorPos({margin, ui.px(8)});
  line(ui, ui.fonts.title, p.text, lab.id.substr(0, lab.id.find('-')) + "  " + lab.title.in(ui.text.language()), width - right);
  ImGui::SameLine(0, ui.px(12));
  ImGui::SetCursorPosY(ui.px(16));
  line(ui, ui.fonts.small, lab_state_ink(ui, state), word);

  ImGui::SetCursorPos({margin, ui.px(42)});
  ImGui::BeginGroup();
  if (focus_button(ui, page.focus, "list", ui.text("labs.all")) || ui.pressed(GLFW_KEY_L) || ui.pressed(GLFW_KEY_BACKSPACE)) page.asked = std::string();
  const auto* before = page.model.neighbour(-1);
  const auto* next = page.model.neighbour(+1);
  ImGui::SameLine(0, ui.px(8));
  if (before != nullptr && (focus_button(ui, page.focus, "before", ui.text("labs.before")) || ui.pressed(GLFW_KEY_P))) page.asked = before->id;
  if (before != nullptr) ImGui::SameLine(0, ui.px(8));
  if (next != nullptr && (focus_button(ui, page.focus, "next", ui.text("labs.next")) || ui.pressed(GLFW_KEY_N))) page.asked = next->id;
  if (next != nullptr) ImGui::SameLine(0, ui.px(12));
  const std::string keys = ui.text("labs.keys");
  ImGui::SetCursorPosY(ui.px(42) + ui.px(5));
  if (ImGui::GetCursorPosX() + width_of(ui.fonts.small, keys) < rect.w - margin) line(ui, ui.fonts.small, p.muted, keys);
  ImGui::EndGroup();

  ImGui::SetCursorPos({margin, ui.px(76)});
  ImGui::BeginGroup();
  draw_lab_buttons(ui, app, margin, rect.w - margin);
  ImGui::EndGroup();
  ImGui::SetCursorPos({margin, ImGui::GetCursorPosY()});
  ImGui::BeginGroup();
  draw_status(ui, page, width);
  ImGui::EndGroup();
  const float height = ImGui::GetCursorPosY() + ui.px(6);
  if (height != page.head) ui.moving = true;
  page.head = height;
  return height;
}

}  // namespace p2plab::gui
