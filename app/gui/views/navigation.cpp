// Where I am: six places, then the items of this place, and what holds everywhere at the foot.
#include <algorithm>
#include <utility>

#include "app/gui/imgui_compat.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"

namespace p2plab::gui {
namespace {

Icon icon_of(Place place) { return static_cast<Icon>(static_cast<int>(Icon::lessons) + static_cast<int>(place)); }

enum class PlaceLook { words, icon_over_word, icon };

/// One place: the chosen one is raised, with 2 px of accent at its left.
bool place_item(Ui& ui, Place place, bool chosen, PlaceLook look) {
  const bool icons = look != PlaceLook::words, named = look == PlaceLook::icon_over_word;
  const std::string label = ui.text("place." + std::string(to_string(place)));
  const float height = ui.px(named ? 46 : 34), width = ImGui::GetContentRegionAvail().x - ui.px(icons ? 8 : 10);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(label.c_str(), {width, height});
  const bool hovered = ImGui::IsItemHovered();
  auto& draw = *ImGui::GetWindowDrawList();
  const auto& p = ui.palette();
  if (chosen) {
    draw.AddRectFilled(at, {at.x + width, at.y + height}, colour(p.raised), ui.px(6));
    draw.AddRectFilled(at, {at.x + ui.px(2), at.y + height}, colour(p.accent));
  } else if (hovered) {
    draw.AddRectFilled(at, {at.x + width, at.y + height}, colour(p.raised, 0.5f), ui.px(6));
  }
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const auto ink = colour(chosen ? p.text : p.muted);
  if (icons) {
    draw_icon(draw, icon_of(place), {at.x + width / 2, at.y + (named ? ui.px(15) : height / 2)}, ui.px(16), ink);
    const std::string word = cut_label(ui, label, width);
    if (named) draw_text(ui.fonts.small, {at.x + (width - width_of(ui.fonts.small, word)) / 2, at.y + ui.px(26)}, ink, word);
    if (!named || word != label) tooltip(ui, label);
  } else {
    draw_icon(draw, icon_of(place), {at.x + ui.px(22), at.y + height / 2}, ui.px(13), ink);
    draw_text(ui.fonts.body, {at.x + ui.px(42), at.y + (height - compat::font_size(ui.fonts.body)) / 2}, ink, label);
  }
  return clicked;
}

bool sub_item(Ui& ui, const std::string& id, const std::string& label, const std::string& after, bool chosen) {
  const float height = ui.px(28), width = ImGui::GetContentRegionAvail().x - ui.px(10);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id.c_str(), {width, height});
  const auto& p = ui.palette();
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const auto ink = chosen ? p.accent : hovered ? p.text : p.muted;
  const float tail = after.empty() ? 0 : width_of(ui.fonts.small, after) + ui.px(8);
  const float y = (height - compat::font_size(ui.fonts.small)) / 2;
  ImGui::SetCursorScreenPos({at.x + ui.px(26), at.y + y});
  ImGui::BeginGroup();
  line(ui, ui.fonts.small, ink, label, width - ui.px(30) - tail);
  ImGui::EndGroup();
  if (tail > 0) draw_text(ui.fonts.small, {at.x + width - tail + ui.px(4), at.y + y}, colour(p.muted, 0.8f), after);
  ImGui::SetCursorScreenPos({at.x, at.y + height});
  return clicked;
}

void section(Ui& ui, const std::string& title) {
  ImGui::Dummy({1, ui.px(10)});
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ui.px(26));
  line(ui, ui.fonts.small, mix(ui.palette().muted, ui.palette().panel, 0.35f), title);
  ImGui::Dummy({1, ui.px(2)});
}

/// Tours first: they are where a newcomer begins.
void demo_items(Ui& ui, App& app) {
  if (!app.model.walkthroughs().empty()) section(ui, ui.text("gui.walkthroughs"));
  for (std::size_t i = 0; i < app.model.walkthroughs().size(); ++i) {
    const auto& each = app.model.walkthroughs()[i];
    const auto minutes = ui.text("gui.minutes", {{"n", std::to_string(each.minutes)}});
    if (sub_item(ui, "walk-" + each.id, each.title.in(ui.text.language()), minutes, app.model.walkthrough() == &each))
      app.enter(app.model.start_walkthrough(i));
  }
  const auto& demos = app.model.demos();
  section(ui, ui.text("gui.demos"));
  for (std::size_t i = 0; i < demos.size(); ++i) {
    const bool chosen = i == app.model.demo_index();
    if (sub_item(ui, "demo-" + demos[i].id, demos[i].title.in(ui.text.language()), {}, chosen)) {
      app.model.leave_walkthrough();
      app.model.choose_demo(i);
    }
    if (chosen && std::exchange(app.listed_demo, i) != i) ImGui::SetScrollHereY(0.5f);  // chosen elsewhere, it may be out of sight
  }
}

/// Where there is no room for the list beside the icons, it opens from the place of demos.
void demos_popup(Ui& ui, App& app, const Rect& beside, bool asked) {
  if (asked) ImGui::OpenPopup("demos-popup");
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({beside.right() + ui.px(4), ui.px(8)});
  ImGui::SetNextWindowSize({std::min(ui.px(300), screen.x - beside.right() - ui.px(12)), std::min(ui.px(640), screen.y - ui.px(16))});
  if (!ImGui::BeginPopup("demos-popup")) return;
  const auto demo = app.model.demo_index();
  const auto* tour = app.model.walkthrough();
  demo_items(ui, app);
  if (demo != app.model.demo_index() || tour != app.model.walkthrough()) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace

void draw_navigation(Ui& ui, App& app, const Layout& layout) {
  const Rect at = layout.navigation;
  ImGui::PushStyleColor(ImGuiCol_ChildBg, colour4(ui.palette().panel));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 0.0f);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  begin_area(ui, "navigation", at, false, false);
  ImGui::PopStyleColor();
  if (layout.icons) {
    ImGui::Dummy({1, ui.px(16)});
  } else {
    ImGui::SetCursorPos({ui.px(20), ui.px(18)});
    line(ui, ui.fonts.title, ui.palette().text, "P2P Lab");
    ImGui::SetCursorPosY(ui.px(66));
  }
  // Words below the icons where the height allows; else each says its name when it is pointed at.
  const PlaceLook look = !layout.icons ? PlaceLook::words : at.h >= ui.px(16 + kPlaces * 50 + 116) ? PlaceLook::icon_over_word : PlaceLook::icon;
  bool demos_asked = false;
  for (int i = 0; i < kPlaces; ++i) {
    const auto place = static_cast<Place>(i);
    ImGui::SetCursorPosX(ui.px(layout.icons ? 8 : 10));
    if (place_item(ui, place, app.model.place == place, look)) {
      app.model.place = place;
      demos_asked = layout.icons && place == Place::demos;
    }
    ImGui::Dummy({1, ui.px(look == PlaceLook::icon_over_word ? 4 : 6)});
  }
  demos_popup(ui, app, at, demos_asked);
  // At the foot: language, theme, help. The items scroll between the places and these.
  const float foot = at.h - ui.px(layout.icons ? 112 : 44);
  if (const float top = ImGui::GetCursorPosY(); !layout.icons && app.model.place == Place::demos && foot - top > ui.px(60)) {
    begin_area(ui, "items", {0, top, at.w - 1, foot - top - ui.px(6)}, false, true);
    demo_items(ui, app);
    end_area();
    ImGui::SetCursorPosY(foot - ui.px(6));
  }
  if (ImGui::GetCursorPosY() < foot) {
    ImGui::SetCursorPos({ui.px(layout.icons ? 8 : 16), foot});
    const bool zh = ui.text.language() == content::Language::zh;
    const auto next = [&] { layout.icons ? ImGui::SetCursorPos({ui.px(8), ImGui::GetCursorPosY() + ui.px(6)}) : ImGui::SameLine(0, ui.px(8)); };
    if (button(ui, "language", zh ? "EN" : ui.fonts.has_chinese() ? "中" : "zh"))
      app.wanted.language = zh ? content::Language::en : content::Language::zh;
    tooltip(ui, ui.text("gui.language_tip"));
    next();
    const bool dark = ui.theme.which() == report::Theme::dark;
    if (button(ui, "theme", ui.text(dark ? "gui.light" : "gui.dark"))) app.wanted.theme = dark ? report::Theme::light : report::Theme::dark;
    tooltip(ui, ui.text("gui.theme_tip"));
    next();
    if (button(ui, "help", "?")) app.model.show_help = !app.model.show_help;
    tooltip(ui, ui.text("gui.help_tip"));
  }
  end_area();
  ImGui::PopStyleVar(2);
  ImGui::GetWindowDrawList()->AddRectFilled({at.right() - 1, 0}, {at.right(), at.h}, colour(ui.palette().hairline));
}

}  // namespace p2plab::gui
