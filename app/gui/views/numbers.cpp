// Big figures, each beside what it must be compared with; hover says how it is computed, a click copies it.
#include <GLFW/glfw3.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/gui/imgui_compat.h"
#include "app/gui/model/copied.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"
#include "app/gui/widgets/imgui_canvas.h"
#include "app/report/words.h"
#include "app/report/wrap.h"

namespace p2plab::gui {
namespace {

struct Columns {
  float name, figure, beside, before;  ///< left edges
  float end;
};

Columns columns(const Ui& ui, float width, bool before) {
  const float w = std::max(width, ui.px(360));
  Columns out{0, w * 0.26f, w * 0.50f, w * 0.76f, width};
  if (!before) out.before = out.end;
  return out;
}

/// As one line or two; what does not fit into these is cut.
std::vector<std::string> in_two_lines(const Ui& ui, const std::string& text, float width) {
  const auto measure = [&](std::string_view part) { return width_of(ui.fonts.small, part); };
  auto lines = report::wrap(text, width, measure);
  if (lines.size() <= 2) return lines;
  std::string rest = text.substr(lines.front().size());
  if (rest.starts_with(' ')) rest.erase(0, 1);
  return {lines.front(), report::cut(rest, width, measure)};
}

float note_step(const Ui& ui) { return compat::font_size(ui.fonts.small) * 1.08f; }

/// Centred in the height of a row.
void short_note(const Ui& ui, const std::string& text, ImVec2 at, float width, float height) {
  const auto lines = in_two_lines(ui, text, width);
  float y = at.y + (height - note_step(ui) * static_cast<float>(lines.size())) / 2;
  for (const auto& each : lines) {
    ImGui::SetCursorPos({at.x, y});
    line(ui, ui.fonts.small, ui.palette().muted, each);
    y += note_step(ui);
  }
}

void draw_row(Ui& ui, App& app, const Number& number, const Columns& at) {
  const auto& p = ui.palette();
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float height = ui.px(34), small = compat::font_size(ui.fonts.small), big = compat::font_size(ui.fonts.title);
  const float left = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY();
  if (ImGui::InvisibleButton(number.id.c_str(), {at.end, height})) app.copy(ui, as_text(number, app.conditions(ui.text)));
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) {
    ImGui::GetWindowDrawList()->AddRectFilled({start.x - ui.px(8), start.y}, {start.x + at.end, start.y + height}, colour(p.raised, 0.6f), ui.px(6));
    draw_icon(*ImGui::GetWindowDrawList(), Icon::copy, {start.x + at.end - ui.px(14), start.y + height / 2}, ui.px(11), colour(p.muted));
    const auto part = [](const std::string& words) { return words.empty() ? words : words + "\n"; };
    tooltip(ui, number.title + "  " + part(number.figure) + part(number.beside) + part(number.how) + ui.text("gui.copy_number"));  // what is cut here stands there
  }
  const auto cell = [&](float x, float end, ImFont* font, report::Rgb ink, const std::string& text, float size) {
    ImGui::SetCursorPos({left + x, top + (height - size) / 2});
    line(ui, font, ink, text, end - x - ui.px(8));
  };
  cell(at.name, at.figure, ui.fonts.small, p.muted, number.title, small);
  // A list of many values falls back to the text size rather than being cut.
  const bool fits = width_of(ui.fonts.title, number.figure) <= at.beside - at.figure - ui.px(8);
  cell(at.figure, at.beside, fits ? ui.fonts.title : ui.fonts.body, p.text, number.figure, fits ? big : compat::font_size(ui.fonts.body));
  short_note(ui, number.beside, {left + at.beside, top}, at.before - at.beside - ui.px(8), height);
  if (at.before < at.end) cell(at.before, at.end, ui.fonts.small, p.muted, number.before, small);
  ImGui::SetCursorPos({left, top + height});
}

/// Above the numbers of the run before: what was different in it.
void draw_heading_of_before(Ui& ui, const std::string& what, const Columns& at) {
  const ImVec2 start = ImGui::GetCursorPos();
  const std::string all = ui.text("gui.run_before") + (what.empty() ? what : report::colon(ui.text) + what);
  const float width = at.end - at.before;
  const auto lines = in_two_lines(ui, all, width).size();
  const float height = note_step(ui) * static_cast<float>(lines);
  short_note(ui, all, {start.x + at.before, start.y}, width, height);
  ImGui::SetCursorPos({start.x + at.before, start.y});
  ImGui::Dummy({width, height});
  tooltip(ui, all);
  ImGui::SetCursorPos({start.x, start.y + height + ui.px(4)});
}

void draw_shares(Ui& ui, App& app, const std::vector<Share>& all, float width) {
  const auto& p = ui.palette();
  line(ui, ui.fonts.small, p.muted, ui.text("gui.bubble_causes"));
  ImguiCanvas canvas(ui, ImGui::GetWindowDrawList());
  for (const auto& share : all) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), here = ImGui::GetCursorPos();
    const float tall = ui.px(10) + ImGui::GetStyle().ItemSpacing.y + compat::font_size(ui.fonts.small);
    if (ImGui::InvisibleButton(share.id.c_str(), {width, tall})) app.copy(ui, as_text(share, app.conditions(ui.text)));
    if (ImGui::IsItemHovered()) {
      ImGui::GetWindowDrawList()->AddRectFilled({at.x - ui.px(4), at.y - ui.px(1)}, {at.x + width, at.y + tall}, colour(p.raised, 0.6f), ui.px(4));
      tooltip(ui, share.title + "  " + share.figure + "\n" + ui.text("gui.copy_number"));
    }
    ImGui::SetCursorPos(here);
    ImGui::Dummy({width, ui.px(10)});
    // Idle time looks as waits do in the timeline above: a hue of a kind of span would say that the bubble is that.
    const report::Box bar{at.x, at.y, at.x + std::max(ui.px(3), width * static_cast<float>(share.value)), at.y + ui.px(10)};
    canvas.fill(bar, {report::Ink::muted, 0.25}, ui.px(2));
    canvas.hatch(bar, {report::Ink::muted, 0.8});
    line(ui, ui.fonts.small, p.muted, share.title + "  " + share.figure, width);
  }
}

/// Some figures of a whole step are left open because the run did not reach its end.
bool cut_short(const App& app, const nlohmann::ordered_json& metrics) {
  using analysis::Verdict;
  if (std::none_of(metrics.begin(), metrics.end(), [](const auto& value) { return value.is_null(); })) return false;
  if (app.file_demo()) return app.file_unfinished;
  if (!app.session.finished()) return false;
  switch (app.session.result()->verdict) {
    case Verdict::deadlock:
    case Verdict::livelock:
    case Verdict::crash:
    case Verdict::resource_limit:
    case Verdict::infra_error:
    case Verdict::not_run: return true;
    default: return false;
  }
}

}  // namespace

void draw_numbers(Ui& ui, App& app) {
  const auto* demo = app.session.run() ? &app.session.run()->demo() : app.model.demo();
  const bool file = !app.session.file().empty() && !app.session.run();
  if (file && !app.file_demo()) {  // of a simulated schedule, or of nothing that we know
    static const check::DemoManifest schedule;
    demo = &schedule;
  }
  if (!demo) return;
  if (file && !app.file_demo() && app.file_metrics.empty())
    return paragraph(ui, ui.fonts.body, ui.palette().muted, ui.text("gui.numbers_of_file"));
  const auto request = app.session.run() ? app.session.run()->request() : file && !app.file_demo() ? check::request_from(app.session.trace()->run) : app.model.request();
  static const nlohmann::ordered_json none = nlohmann::ordered_json::object();
  const auto& measured = file ? app.file_metrics : app.session.result() ? app.session.result()->metrics : none;
  const auto& metrics = measured.is_object() ? measured : none;
  const auto* before = app.session.finished() ? app.session.previous() : nullptr;
  const auto rows = numbers(*demo, request, metrics, before ? &before->metrics : nullptr, ui.text);
  const auto causes = shares(metrics, ui.text);
  const float all = ImGui::GetContentRegionAvail().x;
  const bool side = !causes.empty() && all > ui.px(520);
  const float side_width = side ? ui.px(150) : 0;
  const ImVec2 start = ImGui::GetCursorPos();
  const auto at = columns(ui, all - (side ? side_width + ui.px(24) : 0), before != nullptr);

  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(2)));
  if (cut_short(app, metrics)) paragraph(ui, ui.fonts.small, ui.palette().unsure, ui.text("gui.numbers_cut_short"), at.end);
  if (before) draw_heading_of_before(ui, difference(*demo, request, before->request, ui.text), at);
  for (const auto& row : rows) draw_row(ui, app, row, at);
  if (metrics.empty()) {
    ImGui::Dummy({1, ui.px(4)});
    paragraph(ui, ui.fonts.small, ui.palette().muted, ui.text(app.session.running() ? "gui.numbers_soon" : "gui.numbers_empty"), at.end);
  }
  if (!causes.empty()) {
    if (side) ImGui::SetCursorPos({start.x + all - side_width, start.y});
    ImGui::BeginGroup();
    draw_shares(ui, app, causes, side ? side_width : std::min(all, ui.px(260)));
    ImGui::EndGroup();
  }
  ImGui::PopStyleVar();

  if (ui.pressed(GLFW_KEY_Y) && !rows.empty()) {
    const std::string conditions = app.conditions(ui.text);
    std::string text;
    for (const auto& row : rows) text += as_text(row, conditions) + "\n";
    for (const auto& cause : causes) text += as_text(cause, conditions) + "\n";
    for (const auto& table : report::result_tables(*demo, metrics, ui.text)) text += as_text(table, conditions);
    app.copy(ui, text + range_as_text(ui, app));
  }
}

}  // namespace p2plab::gui
