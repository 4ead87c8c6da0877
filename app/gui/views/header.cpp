// The lesson's title, all conditions of the run, the knobs in one row, and one primary button.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/gui/imgui_compat.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"
#include "app/gui/widgets/knob.h"
#include "app/report/conditions.h"
#include "app/report/wrap.h"

namespace p2plab::gui {
namespace {

struct Chip {
  std::string id, name, value;
};

/// Where it runs, the knobs of the demo, then the conditions that change what MPI does.
std::vector<Chip> chips(const Ui& ui, const App& app) {
  std::vector<Chip> out;
  const auto* demo = app.model.demo();
  if (!demo) return out;
  out.push_back({"@backend", ui.text("condition.backend"), app.model.conditions().backend});
  for (const auto& knob : demo->knobs)
    if (check::hold(knob.when, app.model.request())) out.push_back({knob.id, knob.title.in(ui.text.language()), report::knob_value(knob, app.model.knob(knob.id))});
  const auto& conditions = app.model.conditions();
  out.push_back({"@ranks", ui.text("condition.ranks"), std::to_string(conditions.ranks)});
  if (demo->semantics.size() > 1) out.push_back({"@semantics", ui.text("condition.semantics"), conditions.semantics});
  out.push_back({"@strict", ui.text("condition.strict"), ui.text(conditions.strict ? "gui.on" : "gui.off")});
  out.push_back({"@link", ui.text("condition.link"), conditions.link});
  out.push_back({"@compute", ui.text("condition.compute"), conditions.compute});
  out.push_back({"@seed", ui.text("condition.seed"), std::to_string(conditions.seed)});
  return out;
}

void draw_chip(Ui& ui, App& app, const Chip& each) {
  const bool pressed = chip(ui, each.id.c_str(), each.name, each.value);
  tooltip(ui, knob_help(ui, app, each.id));
  const std::string popup = "popup" + each.id;
  const ImVec2 below{ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + ui.px(4)};
  if (pressed || app.open_knob == each.id) ImGui::OpenPopup(popup.c_str());
  if (app.open_knob == each.id) app.open_knob.clear();
  knob_popup(ui, app, popup.c_str(), each.id, below);
}

void draw_chips(Ui& ui, App& app, float width) {
  const auto all = chips(ui, app);
  std::vector<float> widths;
  for (const auto& each : all) widths.push_back(chip_width(ui, each.name, each.value));
  const std::string more = ui.text("gui.more");
  const float gap = ui.px(8), more_width = chip_width(ui, {}, more);
  const std::size_t count = fitting(widths, width, gap, more_width);
  for (std::size_t i = 0; i < count; ++i) {
    if (i) ImGui::SameLine(0, gap);
    draw_chip(ui, app, all[i]);
  }
  if (count == all.size()) return;
  if (count) ImGui::SameLine(0, gap);
  const bool hidden_asked = std::any_of(all.begin() + static_cast<std::ptrdiff_t>(count), all.end(),
                                        [&](const Chip& each) { return each.id == app.open_knob; });
  const bool pressed = chip(ui, "more", {}, more);
  const ImVec2 corner{ImGui::GetItemRectMax().x, ImGui::GetItemRectMax().y + ui.px(4)};
  if (pressed || hidden_asked) ImGui::OpenPopup("more-knobs");
  ImGui::SetNextWindowPos(corner, ImGuiCond_Always, {1, 0});
  if (ImGui::BeginPopup("more-knobs")) {
    for (std::size_t i = count; i < all.size(); ++i) draw_chip(ui, app, all[i]);
    ImGui::EndPopup();
  }
}

/// K steps through the knobs.
void next_knob(Ui& ui, App& app) {
  const auto all = chips(ui, app);
  if (!all.empty()) app.open_knob = all[app.knob_turn++ % all.size()].id;
}

constexpr float kHeader = 100, kConditionsLine = 16;  ///< design pixels: with one line of conditions, and each further one

float words_width(const Ui& ui, float width) { return width - (width < ui.px(560) ? ui.px(84) : ui.px(116)) - ui.px(24); }

/// A low window, or one with a guide, needs its height for the timeline.
int lines_allowed(const App& app, float height) { return height < 560 || (app.model.step() && height < kLowGuideUnder) ? 1 : height < 700 ? 2 : 3; }

report::Measure small_measure(const Ui& ui) {
  return [font = ui.fonts.small](std::string_view text) { return width_of(font, text); };
}

}  // namespace

int conditions_lines(const Ui& ui, const App& app, float width, float window_height) {
  std::string text = app.conditions(ui.text);
  // What MPI it is becomes known when the ranks have started; nothing moves then.
  if (!app.session.trace() || app.session.trace()->run.mpi.empty()) text += " (MPICH 4.0.2)";
  const auto lines = static_cast<int>(report::wrap_parts(text, words_width(ui, width), small_measure(ui)).size());
  return std::clamp(lines, 1, lines_allowed(app, window_height / ui.theme.scale()));
}

float header_height(const Ui& ui, int lines) { return ui.px(kHeader + kConditionsLine * static_cast<float>(lines - 1)); }

void draw_conditions(Ui& ui, App& app, float width, int lines) {
  const std::string all = app.conditions(ui.text), command = app.command();
  auto shown = report::wrap_parts(all, width, small_measure(ui));
  while (static_cast<int>(shown.size()) > lines) {
    const std::string last = shown.back();
    shown.pop_back();
    shown.back() = report::cut(shown.back() + " " + last, width, small_measure(ui));
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("conditions", {width, ui.px(kConditionsLine) * static_cast<float>(shown.size())})) app.copy(ui, command.empty() ? all : all + "\n" + command);
  tooltip(ui, all + "\n" + (command.empty() ? command : "$ " + command + "\n") + ui.text("gui.copy_conditions"));
  float y = at.y;
  for (const auto& each : shown) {
    draw_text(ui.fonts.small, {at.x, y}, colour(ui.palette().muted), each);
    y += ui.px(kConditionsLine);
  }
}

void draw_header(Ui& ui, App& app, Rect rect, bool low, int lines) {
  const auto* demo = app.model.demo();
  if (ui.pressed(GLFW_KEY_K)) next_knob(ui, app);
  begin_area(ui, "header", rect);
  const float words = words_width(ui, rect.w), run_width = rect.w - words - ui.px(24);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), ui.px(4)));
  ImGui::SetCursorPos({ui.px(8), ui.px(8)});
  line(ui, ui.fonts.title, ui.palette().text, demo ? demo->title.in(ui.text.language()) : ui.text("gui.no_demos"), words);
  ImGui::SetCursorPos({ui.px(8), ui.px(42)});
  if (low && verdict_strip_width(ui, app) > 0) {
    ImGui::SetCursorPos({ui.px(8), ui.px(37)});
    draw_verdict_strip(ui, app);
  } else {
    draw_conditions(ui, app, words, lines);
  }
  ImGui::SetCursorPos({ui.px(8), header_height(ui, lines) - ui.px(32)});
  draw_chips(ui, app, rect.w - ui.px(8));
  if (demo) {
    ImGui::SetCursorPos({rect.w - run_width, ui.px(12)});
    const bool running = app.session.running();
    if (primary_button(ui, "run", running ? Icon::stop : Icon::play, ui.text(running ? "gui.cancel" : "gui.run"), {run_width, ui.px(36)}, running))
      app.run_or_cancel();
    tooltip(ui, ui.text(running ? "gui.cancel_tip" : "gui.run_tip"));
  }
  ImGui::PopStyleVar();
  end_area();
}

}  // namespace p2plab::gui
