// Popups of the knobs. Values are checked where runs are (check::complete), so nothing illegal can be set here either.
#include "app/gui/widgets/knob.h"

#include <algorithm>

#include "app/gui/widgets/basic.h"
#include "app/gui/widgets/text_field.h"
#include "app/report/conditions.h"
#include "app/report/quantity.h"

namespace p2plab::gui {
namespace {

std::string unit_word(const std::string& unit) { return unit == "us" ? "µs" : unit == "bytes" ? "" : unit; }

bool entry(Ui& ui, const std::string& label, bool chosen) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::Selectable(("##" + label).c_str(), false, 0, {std::max(ui.px(160), width_of(ui.fonts.body, label) + ui.px(48)), ui.px(26)});
  if (chosen && ImGui::IsWindowAppearing()) ImGui::SetItemDefaultFocus();
  draw_text(ui.fonts.body, {at.x + ui.px(26), at.y + ui.px(4)}, colour(ui.palette().text), label);
  if (chosen) draw_icon(*ImGui::GetWindowDrawList(), Icon::check, {at.x + ui.px(12), at.y + ui.px(13)}, ui.px(10), colour(ui.palette().accent));
  return clicked;
}

/// A text field; true when Enter was pressed.
bool field(Ui& ui, App& app, const std::string& current) {
  if (ImGui::IsWindowAppearing()) {
    app.typed = current;
    app.refused.clear();
    ImGui::SetKeyboardFocusHere();
  }
  return text_line("##value", "", app.typed, ui.px(180));
}

void set(Ui& ui, App& app, const std::string& id, const std::string& value) {
  try {
    app.model.set_knob(id, value);
    app.refused.clear();
    ImGui::CloseCurrentPopup();
  } catch (const Error& error) {
    app.refused = ui.text(error);
  }
}

void say_refused(Ui& ui, const App& app) {
  if (!app.refused.empty()) paragraph(ui, ui.fonts.small, ui.palette().bad, app.refused, ui.px(260));
}

void choice(Ui& ui, App& app, const check::Knob& knob) {
  for (const auto& value : knob.choices)
    if (entry(ui, value, value == app.model.knob(knob.id))) set(ui, app, knob.id, value);
}

void number(Ui& ui, App& app, const check::Knob& knob) {
  if (field(ui, app, app.model.knob(knob.id))) set(ui, app, knob.id, app.typed);
  if (knob.type != check::Knob::Type::file)
    line(ui, ui.fonts.small, ui.palette().muted, std::to_string(knob.minimum) + " … " + std::to_string(knob.maximum) + " " + unit_word(knob.unit));
  say_refused(ui, app);
}

void size(Ui& ui, App& app, const check::Knob& knob) {
  if (field(ui, app, report::knob_value(knob, app.model.knob(knob.id)))) {
    std::string value = app.typed;
    std::erase(value, ' ');
    set(ui, app, knob.id, value);
  }
  say_refused(ui, app);
  for (const std::int64_t bytes : {1L, 1024L, 16384L, 65536L, 131072L, 1048576L, 16777216L}) {
    if (bytes < knob.minimum || (knob.maximum > 0 && bytes > knob.maximum)) continue;
    const auto now = check::parse_amount(app.model.knob(knob.id));
    if (entry(ui, report::bytes(static_cast<std::uint64_t>(bytes)), now == bytes)) set(ui, app, knob.id, std::to_string(bytes));
  }
}

void word(Ui& ui, std::string& value, const std::vector<std::string>& choices) {
  for (const auto& each : choices)
    if (entry(ui, each, each == value)) {
      value = each;
      ImGui::CloseCurrentPopup();
    }
}

/// All backends; one that cannot be had says why below its name, one that no GPU has run says that.
void backends(Ui& ui, App& app) {
  const auto& now = app.model.conditions().backend;
  for (const auto& each : app.backends.of(*app.model.demo(), app.model.conditions().ranks)) {
    if (each.asking) ui.moving = true;
    if (each.usable()) {
      if (entry(ui, each.name, each.name == now)) {
        app.model.set_backend(each.name);
        ImGui::CloseCurrentPopup();
      }
      if (!each.unproven()) continue;
    } else {
      ImGui::Dummy({1, ui.px(1)});
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ui.px(26));
      line(ui, ui.fonts.body, ui.palette().muted, each.name);
    }
    const std::string why = each.asking ? ui.text("gui.backend_asking") : each.why_not ? ui.text(*each.why_not) : ui.text("doctor.gpu_backend");
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ui.px(26));
    paragraph(ui, ui.fonts.small, ui.palette().muted, why, ui.px(300));
  }
}

void condition(Ui& ui, App& app, std::string_view id) {
  auto& at = app.model.conditions();
  const auto& demo = *app.model.demo();
  if (id == "ranks") {
    for (int n = demo.min_ranks; n <= std::min({demo.max_ranks, demo.min_ranks + 7}); ++n)
      if (entry(ui, std::to_string(n), n == at.ranks)) {
        at.ranks = n;
        ImGui::CloseCurrentPopup();
      }
  }
  if (id == "backend") backends(ui, app);
  if (id == "semantics") word(ui, at.semantics, demo.semantics);
  if (id == "link") word(ui, at.link, app.links);
  if (id == "compute") word(ui, at.compute, {"paced", "real"});
  if (id == "strict")
    for (const bool value : {false, true})
      if (entry(ui, ui.text(value ? "gui.on" : "gui.off"), value == at.strict)) {
        at.strict = value;
        ImGui::CloseCurrentPopup();
      }
  if (id == "seed" && field(ui, app, std::to_string(at.seed))) {
    if (const auto seed = check::parse_amount(app.typed); seed && *seed >= 0) {
      at.seed = static_cast<std::uint64_t>(*seed);
      ImGui::CloseCurrentPopup();
    }
  }
}

}  // namespace

std::string knob_help(const Ui& ui, const App& app, const std::string& id) {
  if (id.starts_with('@')) return ui.text("condition_help." + id.substr(1));
  const auto* knob = app.model.demo()->knob(id);
  return knob ? knob->help.in(ui.text.language()) : std::string();
}

void knob_popup(Ui& ui, App& app, const char* popup, const std::string& id, ImVec2 at) {
  ImGui::SetNextWindowPos(at);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(8), ui.px(8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), ui.px(4)));
  if (ImGui::BeginPopup(popup)) {
    if (id.starts_with('@')) {
      condition(ui, app, std::string_view(id).substr(1));
    } else if (const auto* knob = app.model.demo()->knob(id)) {
      if (knob->type == check::Knob::Type::choice) choice(ui, app, *knob);
      else if (knob->type == check::Knob::Type::bytes) size(ui, app, *knob);
      else number(ui, app, *knob);
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace p2plab::gui
