// All keys, on `?`.
#include <array>

#include "app/gui/imgui_compat.h"
#include "app/gui/views/views.h"
#include "app/gui/widgets/basic.h"

namespace p2plab::gui {
namespace {

struct Key {
  const char* keys;
  const char* text;
};
constexpr std::array kKeys{
    Key{"Space  F5", "key.run"},       Key{"Esc", "key.escape"},        Key{"1 … 6", "key.places"},
    Key{"[  ]", "key.demos"},          Key{"K", "key.knobs"},           Key{"Tab  Shift+Tab", "key.tabs"},
    Key{"N  P", "key.guide"},          Key{"G", "key.start_guide"},     Key{"X", "key.diff"},
    Key{"E", "key.edit"},              Key{"Y", "key.copy"},            Key{"O", "key.open"},
    Key{"F2", "key.language"},         Key{"F3", "key.theme"},          Key{"Ctrl +  Ctrl −  Ctrl 0", "key.scale"},
    Key{"F4", "key.motion"},           Key{"F12", "key.screenshot"},    Key{"Ctrl S", "key.save"},
    Key{"Ctrl Q", "key.quit"},
};
constexpr std::array kTimelineKeys{
    Key{"+  −", "key.zoom"},  Key{"←  →", "key.pan"},      Key{"0  F", "key.fit"},
    Key{",  .", "key.step"}, Key{"L  End", "key.live"}, Key{"M", "key.messages"}, Key{"I", "key.flight"},
};
constexpr std::array kLessonKeys{
    Key{"Tab  Enter", "lesson.key_choose"}, Key{"↑  ↓  PgUp  PgDn", "lesson.key_read"}, Key{"N  P", "lesson.key_pages"}, Key{"L", "lesson.key_list"},
    Key{"C  W  H  E", "labs.key_help"},
};

template <std::size_t N>
void table(Ui& ui, const std::array<Key, N>& keys, float x) {
  for (const auto& each : keys) {
    ImGui::SetCursorPosX(x);
    const float top = ImGui::GetCursorPosY();
    line(ui, ui.fonts.code, ui.palette().accent, each.keys);
    ImGui::SetCursorPos({x + ui.px(176), top});
    line(ui, ui.fonts.small, ui.palette().text, ui.text(each.text), ui.px(230));
  }
}

}  // namespace

void draw_help(Ui& ui, App& app) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const bool two = screen.x > ui.px(960);
  const float width = std::min(screen.x - ui.px(32), ui.px(two ? 880 : 460));
  const float height = std::min(screen.y - ui.px(32), ui.px(two ? 500 : 700));
  ImGui::SetNextWindowPos({(screen.x - width) / 2, (screen.y - height) / 2});
  ImGui::SetNextWindowSize({width, height});
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleColor(ImGuiCol_WindowBg, colour4(mix(ui.palette().panel, ui.palette().raised, 0.5f)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(24), ui.px(20)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0f);
  ImGui::Begin("help", nullptr, ImGuiWindowFlags_NoDecoration & ~ImGuiWindowFlags_NoScrollbar);
  line(ui, ui.fonts.title, ui.palette().text, ui.text("gui.help"));
  ImGui::Dummy({1, ui.px(4)});
  const float top = ImGui::GetCursorPosY();
  const float left = ImGui::GetCursorPosX();
  line(ui, ui.fonts.small, ui.palette().muted, ui.text("gui.help_window"));
  table(ui, kKeys, left);
  const float right = two ? left + ui.px(430) : left;
  if (two) ImGui::SetCursorPos({right, top});
  else ImGui::Dummy({1, ui.px(4)});
  ImGui::SetCursorPosX(right);
  line(ui, ui.fonts.small, ui.palette().muted, ui.text("gui.help_timeline"));
  table(ui, kTimelineKeys, right);
  ImGui::Dummy({1, ui.px(4)});
  ImGui::SetCursorPosX(right);
  line(ui, ui.fonts.small, ui.palette().muted, ui.text("place.lessons"));
  table(ui, kLessonKeys, right);
  ImGui::Dummy({1, ui.px(8)});
  ImGui::SetCursorPosX(right);
  if (button(ui, "close-help", ui.text("gui.close"))) app.model.show_help = false;
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

}  // namespace p2plab::gui
