// The lesson's title, all conditions of the run, the knobs in one row, and one primary button.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/gui/imgui_compat.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"
#include "app/gui/widgets/knob.h"

namespace p2plab::gui {
namespace {

struct Chip {
  std::string id, name, value;
};

/// Knobs of the demo first, then the conditions that change what MPI does.
std::vector<Chip> chips(const Ui& ui, const App& app) {
  std::vector<Chip> out;
  const auto* demo = app.model.demo();
  if (!demo) return out;
  for (const auto& knob : demo->knobs)
    out.push_back({knob.id, in(ui.text.language(), knob.title), knob_value(knob, app.model.knob(knob.id))});
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

}  // namespace

float header_height(const Ui& ui) { return ui.px(100); }

void draw_header(Ui& ui, App& app, Rect rect, bool low) {
  const auto* demo = app.model.demo();
  if (ui.pressed(GLFW_KEY_K)) next_knob(ui, app);
  begin_area(ui, "header", rect);
  const float run_width = rect.w < ui.px(560) ? ui.px(84) : ui.px(116);
  const float words = rect.w - run_width - ui.px(24);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), ui.px(4)));
  ImGui::SetCursorPos({ui.px(8), ui.px(8)});
  line(ui, ui.fonts.title, ui.palette().text, demo ? in(ui.text.language(), demo->title) : ui.text("gui.no_demos"), words);
  ImGui::SetCursorPos({ui.px(8), ui.px(42)});
  if (low && verdict_strip_width(ui, app) > 0) {
    ImGui::SetCursorPos({ui.px(8), ui.px(37)});
    draw_verdict_strip(ui, app);
  } else {
    line(ui, ui.fonts.small, ui.palette().muted, app.conditions(ui.text), words);
  }
  ImGui::SetCursorPos({ui.px(8), ui.px(68)});
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
