// The whole window's content under keys and a mouse, in ImGui without a window and without a renderer: one frame a call.
#pragma once
#include <GLFW/glfw3.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "app/gui/characters.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/shell.h"
#include "tests/support/catch.h"

namespace p2plab::stage_test {

class AppStage {
 public:
  AppStage()
      : app(launch::Installation::find(), check::load_demos(launch::Installation::find().demos()), gui::load_walkthroughs(launch::Installation::find().assets() / "walkthroughs"), {"raw"}),
        text(launch::Installation::find().assets() / "text", content::Language::en) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1280, 800};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
#if IMGUI_VERSION_NUM >= 19200
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#endif
    load();
    theme_.apply();
    text.use_place("window");
  }
  ~AppStage() { ImGui::DestroyContext(); }
  AppStage(const AppStage&) = delete;
  AppStage& operator=(const AppStage&) = delete;

  /// As the main loop does it: what a key asked for in this frame is taken up before the next.
  void frame(std::vector<gui::KeyPress> keys = {}) {
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = 0.05F;
    seconds_ += 0.05;
#if IMGUI_VERSION_NUM >= 18700
    io.AddMousePosEvent(mouse.x, mouse.y);
    io.AddMouseButtonEvent(0, down);
#else
    io.MousePos = mouse;
    io.MouseDown[0] = down;
#endif
    text.use(app.wanted.language);
    if (user_text_.extend(characters_, app, text)) load();
    ImGui::NewFrame();
    gui::Ui ui{theme_, fonts, text, std::move(keys), false, seconds_, false};
    gui::draw_shell(ui, app);
    ImGui::Render();
  }
  void rest() {
    for (int i = 0; i < 5; ++i) frame();
  }
  void press(int key) {
    frame({gui::KeyPress{key}});
    rest();
  }
  void click(ImVec2 at) {
    mouse = at;
    frame();
    frame();
    down = true;
    frame();
    down = false;
    frame();
    frame();
  }
  /// Clicks on points of this area, a few pixels apart, until the clipboard holds the word; false when none has put it there.
  bool copied_somewhere(ImVec2 from, ImVec2 to, const std::string& word, float step = 9) {
    for (float y = from.y; y < to.y; y += step)
      for (float x = from.x; x < to.x; x += 4 * step) {
        ImGui::SetClipboardText("");
        click({x, y});
        if (clipboard().find(word) != std::string::npos) return true;
      }
    return false;
  }
  static std::string clipboard() {
    const char* text = ImGui::GetClipboardText();
    return text ? text : "";
  }
  /// Characters of the frame that was drawn last for which the fonts have no picture.
  static int missing() {
    int vertices = 0;
    const ImDrawData& all = *ImGui::GetDrawData();
    for (int list = 0; list < all.CmdListsCount; ++list)
      for (const ImDrawVert& vertex : all.CmdLists[list]->VtxBuffer) vertices += vertex.uv.x < -1;
    return vertices / 4;
  }
  /// Runs what is set up, on the virtual clock, to its end.
  void run_on_sim() {
    app.model.set_backend("sim");
    app.run();
    REQUIRE_FALSE(app.session.error());
    while (!app.session.finished()) {
      if (!app.session.poll()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    rest();
  }

  gui::App app;
  content::Text text;
  gui::Fonts fonts;
  ImVec2 mouse{-1, -1};
  bool down = false;

 private:
  void load() {
    fonts.build(1, characters_);
#if IMGUI_VERSION_NUM < 19200  // later versions ask for glyphs as they are drawn
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    // The replacement is a question mark: another one tells it from those that are meant.
    box_.Visible = 1;
    box_.X1 = box_.Y1 = box_.AdvanceX = 8;
    box_.U0 = box_.V0 = -3;
    box_.U1 = box_.V1 = -2;
    for (ImFont* font : {fonts.body, fonts.title, fonts.small, fonts.code}) font->FallbackGlyph = &box_;
#endif
  }

  ImFontGlyph box_{};
  gui::Characters characters_ = gui::shipped_characters(text, app.model);
  gui::UserText user_text_;
  gui::Theme theme_;
  double seconds_ = 0;
};

}  // namespace p2plab::stage_test
