// The code that runs: the variant's region with line numbers, the selected span's line lit; broken against fixed as a
// diff; and a copy that can be edited and run.
#include <GLFW/glfw3.h>

#include <algorithm>

#include "app/analysis/finding.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/model/diff.h"
#include "app/gui/model/sim_numbers.h"
#include "app/gui/model/source.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"
#include "app/gui/widgets/text_field.h"

namespace p2plab::gui {
namespace {

struct CodeLine {
  int number = 0;  ///< from 1; 0 for none
  std::string_view text;
  DiffLine::Change change = DiffLine::Change::same;
  bool lit = false;
  bool around = false;  ///< outside of the region: there to say where it stands
};

/// What is shown, decided before anything is drawn.
struct Shown {
  std::string title;
  std::vector<CodeLine> lines;
  std::vector<std::string> storage;  ///< the lines' text without their common indentation
  int lit = -1;                      ///< index into lines
};

const check::DemoManifest* shown_demo(const App& app) { return app.session.run() ? &app.session.run()->demo() : app.model.demo(); }

std::pair<std::string, int> selected_site(const App& app) {
  const auto* trace = app.session.trace();
  if (!trace || app.selected == trace::kNoIndex || app.selected >= trace->spans().size()) return {};
  return analysis::split_site(trace->name(trace->span(app.selected).site));
}

/// `room` is how many lines can be seen at once.
Shown decide(App& app, const std::optional<Model::Compared>& compared, int room) {
  Shown out;
  const auto& demo = *app.model.demo();
  const auto [site_file, site_line] = selected_site(app);
  std::filesystem::path file = demo.folder / demo.source;
  const bool elsewhere = site_line > 0 && !same_file(file, site_file) && shown_demo(app) == &demo &&
                         std::filesystem::exists(demo.folder / std::filesystem::path(site_file).filename());
  if (elsewhere) file = demo.folder / std::filesystem::path(site_file).filename();
  const Source& source = app.sources.get(file);
  out.title = file.filename().string();

  const auto region_of = [&](const std::string& variant) {
    const auto name = demo.regions.find(variant);
    return find_region(source, name == demo.regions.end() ? std::string() : name->second);
  };
  if (compared && app.model.show_diff && !elsewhere) {
    const Region before = region_of(compared->broken), after = region_of(compared->fixed);
    auto a = region_text(source, before), b = region_text(source, after);
    const auto script = diff(a, b);
    for (const auto& each : script) {
      const bool added = each.change == DiffLine::Change::added;
      out.storage.push_back(added ? b[static_cast<std::size_t>(each.after)] : a[static_cast<std::size_t>(each.before)]);
      out.lines.push_back({added ? after.begin + each.after + 1 : before.begin + each.before + 1, {}, each.change, false, false});
    }
  } else {
    Region region = elsewhere ? Region{0, static_cast<int>(source.lines.size())} : region_of(app.model.variant());
    // A line outside of the region (a helper of the demo) is shown in the whole file.
    if (site_line > 0 && same_file(file, site_file) && (site_line <= region.begin || site_line > region.end))
      region = {0, static_cast<int>(source.lines.size())};
    const Region shown = with_context(source, region, room);
    out.storage = region_text(source, shown);
    for (int i = shown.begin; i < shown.end; ++i)
      out.lines.push_back({i + 1, {}, DiffLine::Change::same, false, i < region.begin || i >= region.end});
  }
  for (std::size_t i = 0; i < out.lines.size(); ++i) {
    out.lines[i].text = out.storage[i];
    out.lines[i].lit = site_line > 0 && out.lines[i].number == site_line && same_file(file, site_file);
    if (out.lines[i].lit) out.lit = static_cast<int>(i);
  }
  return out;
}

float row_height(const Ui& ui) { return ui.px(20); }

/// Comments are muted; the rest is plain, so that the lit line is what stands out.
void draw_line(const Ui& ui, const CodeLine& each, ImVec2 at, float gutter, float width, float row) {
  const auto& p = ui.palette();
  auto& draw = *ImGui::GetWindowDrawList();
  using Change = DiffLine::Change;
  if (each.lit) draw.AddRectFilled(at, {at.x + width, at.y + row}, colour(p.send, 0.32f), ui.px(3));
  else if (each.change != Change::same)
    draw.AddRectFilled(at, {at.x + width, at.y + row}, colour(each.change == Change::added ? p.good : p.bad, 0.18f));
  const float y = at.y + (row - compat::font_size(ui.fonts.code)) / 2;
  const std::string number = std::to_string(each.number);
  draw_text(ui.fonts.code, {at.x + gutter - ui.px(20) - width_of(ui.fonts.code, number), y}, colour(p.muted, 0.8f), number);
  const char* sign = each.change == Change::added ? "+" : each.change == Change::removed ? "-" : "";
  draw_text(ui.fonts.code, {at.x + gutter - ui.px(14), y}, colour(each.change == Change::added ? p.good : p.bad), sign);
  const auto comment = std::min(each.text.find("//"), each.text.size());
  const auto code = each.text.substr(0, comment);
  draw_text(ui.fonts.code, {at.x + gutter, y}, colour(each.around ? p.muted : p.text, each.around ? 0.75f : 1.0f), code);
  draw_text(ui.fonts.code, {at.x + gutter + width_of(ui.fonts.code, code), y}, colour(p.muted, each.around ? 0.75f : 1.0f), each.text.substr(comment));
}

void draw_lines(Ui& ui, App& app, const Shown& shown, float height) {
  begin_area(ui, "lines", {ImGui::GetCursorPosX() - ui.px(8), ImGui::GetCursorPosY(), ImGui::GetContentRegionAvail().x + ui.px(16), height}, false, true);
  const float row = row_height(ui), gutter = ui.px(46);
  float widest = ImGui::GetContentRegionAvail().x;
  for (const auto& each : shown.lines) widest = std::max(widest, gutter + width_of(ui.fonts.code, each.text) + ui.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(shown.lines.size()), row);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::Dummy({ImGui::GetContentRegionAvail().x, row});
      const auto& each = shown.lines[static_cast<std::size_t>(i)];
      draw_line(ui, each, at, gutter, std::max(widest, ImGui::GetContentRegionAvail().x), row);
      if (gutter + width_of(ui.fonts.code, each.text) > ImGui::GetContentRegionAvail().x) tooltip(ui, each.text);
    }
  ImGui::PopStyleVar();
  // Bring the lit line into view when another span was selected.
  if (shown.lit >= 0 && (shown.lit != app.lit_line || height != app.code_height))
    ImGui::SetScrollY(std::max(0.0f, row * static_cast<float>(shown.lit) - height / 2));
  app.lit_line = shown.lit;
  app.code_height = height;
  end_area();
}

void draw_editor(Ui& ui, App& app, float height) {
  const auto& p = ui.palette();
  auto& edit = app.edit;
  line(ui, ui.fonts.body, p.text, ui.text("gui.edit_title"), ImGui::GetContentRegionAvail().x);
  line(ui, ui.fonts.small, p.muted, edit.file().string(), ImGui::GetContentRegionAvail().x);
  const bool building = edit.state() == Edit::State::building;
  try {
    if (button(ui, "build", ui.text(building ? "gui.building" : "gui.build_and_run"), true, Icon::play) && !building)
      edit.build(app.session.installation());
    ImGui::SameLine();
    if (button(ui, "restore", ui.text("gui.restore"))) edit.restore();
  } catch (const Error& error) {
    app.session.set_error(error.text());
  }
  ImGui::SameLine();
  if (button(ui, "close", ui.text("gui.close"))) return edit.close();
  const bool messages = !edit.messages().empty();
  const float messages_height = messages ? std::min(height * 0.35f, ui.px(160)) : 0;
  const float used = ui.px(96);
  compat::push_font(ui.fonts.code);
  text_area("##edit", edit.text, {ImGui::GetContentRegionAvail().x, std::max(ui.px(120), height - used - messages_height)});
  ImGui::PopFont();
  if (messages) {
    begin_area(ui, "messages", {ImGui::GetCursorPosX(), ImGui::GetCursorPosY(), ImGui::GetContentRegionAvail().x, messages_height}, false, true);
    paragraph(ui, ui.fonts.code, edit.state() == Edit::State::failed ? p.bad : p.muted, edit.messages());
    end_area();
  }
}

}  // namespace

void draw_code(Ui& ui, App& app, float height) {
  const auto* demo = app.model.demo();
  if (!demo) return;
  if (app.shows_file() && !app.file_demo()) {
    line(ui, ui.fonts.body, ui.palette().text, ui.text("gui.code"), ImGui::GetContentRegionAvail().x);
    return paragraph(ui, ui.fonts.small, ui.palette().muted, ui.text(is_simulated(app.session.trace()->run) ? "gui.no_program_of_file" : "gui.no_demo_of_file"));
  }
  if (app.edit.is_open()) return draw_editor(ui, app, height);
  const auto& p = ui.palette();
  const auto compared = app.model.compared();
  if (compared && ui.pressed(GLFW_KEY_X)) app.model.show_diff = !app.model.show_diff;
  const float lines_height = std::max(ui.px(80), height - ui.px(62));
  const auto shown = decide(app, compared, static_cast<int>(lines_height / row_height(ui)));

  line(ui, ui.fonts.body, p.text, ui.text("gui.code") + "  " + shown.title, ImGui::GetContentRegionAvail().x);
  if (compared) {
    const auto label = compared->broken + " ⇄ " + compared->fixed;
    if (button(ui, "diff", cut_label(ui, label, ImGui::GetContentRegionAvail().x - ui.px(110)), app.model.show_diff)) app.model.show_diff = !app.model.show_diff;
    tooltip(ui, ui.text("gui.diff_tip", {{"broken", compared->broken}, {"fixed", compared->fixed}}));
    ImGui::SameLine();
  }
  const bool edit = button(ui, "edit", ui.text("gui.edit")) || ui.pressed(GLFW_KEY_E);
  tooltip(ui, ui.text("gui.edit_tip"));
  if (edit) {
    try {
      app.edit.open(*demo);
    } catch (const Error& error) {
      app.session.set_error(error.text());
    }
  }
  ImGui::Dummy({1, ui.px(2)});
  if (shown.lines.empty()) return paragraph(ui, ui.fonts.small, p.muted, ui.text("gui.no_source", {{"file", shown.title}}));
  draw_lines(ui, app, shown, lines_height);
}

}  // namespace p2plab::gui
