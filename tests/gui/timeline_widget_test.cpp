// The timeline under a mouse and keys: ImGui without a window and without a renderer.
#include "app/gui/widgets/timeline.h"

#include <GLFW/glfw3.h>

#include "tests/report/support.h"
#include "tests/support/catch.h"
#include "tests/support/synthetic_trace.h"

using namespace p2plab;

namespace {

/// ImGui's context and what a view is given; one frame a call.
class Stage {
 public:
  Stage() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1000, 700};
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
#if IMGUI_VERSION_NUM >= 19200
    io.BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
#endif
    fonts_.build(1, gui::basic_characters());
#if IMGUI_VERSION_NUM < 19200
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
#endif
  }
  ~Stage() { ImGui::DestroyContext(); }

  void frame(const trace::Trace* trace, std::vector<gui::KeyPress> keys = {}, bool running = false) {
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = 0.05F;
    seconds_ += 0.05;
#if IMGUI_VERSION_NUM >= 18700
    io.AddMousePosEvent(mouse.x, mouse.y);
    io.AddMouseButtonEvent(0, down);
    io.AddMouseWheelEvent(0, wheel);
    io.AddKeyEvent(ImGuiMod_Shift, shift);
#else
    io.MousePos = mouse;
    io.MouseDown[0] = down;
    io.MouseWheel = wheel;
    io.KeyShift = shift;
#endif
    wheel = 0;
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({1000, 700});
    ImGui::Begin("stage", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    gui::Ui ui{theme_, fonts_, text_, std::move(keys)};
    ui.seconds = seconds_;
    widget.draw(ui, trace, running, {0, 0}, {1000, 700});
    ImGui::End();
    ImGui::Render();
  }
  void rest(const trace::Trace* trace) {
    for (int i = 0; i < 5; ++i) frame(trace);
  }
  void press(const trace::Trace* trace, int key) {
    frame(trace, {gui::KeyPress{key}});
    rest(trace);
  }
  void click(const trace::Trace* trace, ImVec2 at) {
    mouse = at;
    frame(trace);
    down = true;
    frame(trace);
    down = false;
    frame(trace);
    rest(trace);
  }
  void drag(const trace::Trace* trace, ImVec2 from, ImVec2 to) {
    mouse = from;
    frame(trace);
    down = true;
    frame(trace);
    mouse = {(from.x + to.x) / 2, (from.y + to.y) / 2};
    frame(trace);
    mouse = to;
    frame(trace);
    down = false;
    frame(trace);
  }
  static int vertices() { return ImGui::GetDrawData()->TotalVtxCount; }

  gui::TimelineWidget widget;
  ImVec2 mouse{-1, -1};
  bool down = false, shift = false;
  float wheel = 0;

 private:
  gui::Theme theme_;
  gui::Fonts fonts_;
  content::Text text_ = tests::text();
  double seconds_ = 0;
};

/// Rows begin below the axis, at x = 88; rank 0: header, host, compute.
const ImVec2 kComputeOfRank0{100, 26 + 22 + 30 + 12};

}  // namespace

TEST_CASE("with nothing to show there is an axis and no crash") {
  Stage stage;
  const trace::Trace empty;
  stage.frame(nullptr);
  CHECK(Stage::vertices() > 0);
  stage.frame(&empty);
  stage.click(&empty, {400, 300});
  CHECK_FALSE(stage.widget.selected());
}

TEST_CASE("a click selects the span under it, a click beside it clears the selection") {
  Stage stage;
  const trace::Trace t = synthetic::pipeline();
  stage.rest(&t);
  stage.click(&t, kComputeOfRank0);
  REQUIRE(stage.widget.selected());
  CHECK(report::label(t, t.span(*stage.widget.selected())) == "F0");
  stage.click(&t, {100, 660});
  CHECK_FALSE(stage.widget.selected());
}

TEST_CASE("comma and full stop walk along the row and keep what is selected in sight") {
  Stage stage;
  const trace::Trace t = synthetic::pipeline();
  stage.rest(&t);
  stage.click(&t, kComputeOfRank0);
  stage.press(&t, GLFW_KEY_F);  // zoom to it
  const auto first = *stage.widget.selected();
  for (int i = 0; i < 3; ++i) stage.press(&t, GLFW_KEY_PERIOD);
  const trace::Span& fourth = t.span(*stage.widget.selected());
  CHECK(report::label(t, fourth) == "F3");
  CHECK(stage.widget.view().begin() <= static_cast<double>(fourth.begin));
  CHECK(stage.widget.view().end() >= static_cast<double>(fourth.end));
  for (int i = 0; i < 10; ++i) stage.press(&t, GLFW_KEY_COMMA);
  CHECK(stage.widget.selected() == first);
}

TEST_CASE("the wheel zooms about the cursor") {
  Stage stage;
  const trace::Trace t = synthetic::pipeline();
  stage.rest(&t);
  stage.mouse = {544, 300};  // the middle of the rows
  stage.frame(&t);
  const auto before = stage.widget.view();
  stage.wheel = 1;
  stage.frame(&t);
  stage.rest(&t);
  const auto after = stage.widget.view();
  CHECK(after.width() < before.width());
  CHECK((after.begin() + after.end()) / 2 == Approx((before.begin() + before.end()) / 2).epsilon(0.001));
}

TEST_CASE("a drag pans and pauses following; L resumes") {
  Stage stage;
  const trace::Trace t = synthetic::pipeline();
  stage.rest(&t);
  CHECK(stage.widget.following());
  const double begin = stage.widget.view().begin();
  stage.drag(&t, {700, 600}, {500, 600});
  CHECK_FALSE(stage.widget.following());
  CHECK(stage.widget.view().begin() > begin);
  CHECK_FALSE(stage.widget.selected());
  stage.press(&t, GLFW_KEY_L);
  CHECK(stage.widget.following());
}

TEST_CASE("a drag with Shift selects a range and leaves the view alone") {
  Stage stage;
  const trace::Trace t = synthetic::pipeline();
  stage.rest(&t);
  const double begin = stage.widget.view().begin();
  stage.shift = true;
  stage.drag(&t, {300, 200}, {500, 200});
  stage.shift = false;
  REQUIRE(stage.widget.range());
  const double share = static_cast<double>(stage.widget.range()->width()) / stage.widget.view().width();
  CHECK(share == Approx(200.0 / 912).epsilon(0.02));
  CHECK(stage.widget.view().begin() == begin);
}

TEST_CASE("a double click zooms to the span") {
  Stage stage;
  const trace::Trace t = synthetic::pipeline();
  stage.rest(&t);
  const double wide = stage.widget.view().width();
  stage.mouse = kComputeOfRank0;
  stage.frame(&t);
  for (int i = 0; i < 2; ++i) {
    stage.down = true;
    stage.frame(&t);
    stage.down = false;
    stage.frame(&t);
  }
  stage.rest(&t);
  CHECK(stage.widget.view().width() < wide / 10);
}

TEST_CASE("the selected operation and the toggle draw arrows") {
  Stage stage;
  const trace::Trace t = synthetic::pipeline();
  stage.rest(&t);
  const int plain = Stage::vertices();
  stage.press(&t, GLFW_KEY_M);
  CHECK(stage.widget.shows_messages());
  const int all = Stage::vertices();
  CHECK(all > plain);
  stage.press(&t, GLFW_KEY_M);
  stage.widget.select(t, t.messages()[3].send);
  stage.frame(&t);
  CHECK(Stage::vertices() > plain);
  CHECK(Stage::vertices() < all);
}

TEST_CASE("a click on the card of a range asks for its numbers, once, and neither the range nor what lies below is touched") {
  Stage stage;
  const trace::Trace t = synthetic::pipeline();
  stage.rest(&t);
  const report::Range range{0, t.now() / 10};
  stage.widget.select(range);
  stage.rest(&t);
  CHECK_FALSE(stage.widget.take_copy());
  stage.click(&t, {260, 60});  // right of the range
  CHECK(stage.widget.take_copy());
  CHECK_FALSE(stage.widget.take_copy());
  CHECK(stage.widget.range() == range);
  CHECK_FALSE(stage.widget.selected());
  stage.click(&t, {950, 650});
  CHECK_FALSE(stage.widget.take_copy());
  CHECK_FALSE(stage.widget.range());
}

TEST_CASE("another trace forgets selection, range and view") {
  Stage stage;
  const trace::Trace one = synthetic::pipeline(), two = synthetic::deadlock();
  stage.rest(&one);
  stage.click(&one, kComputeOfRank0);
  stage.widget.select(report::Range{1, 1000});
  stage.widget.show(0, 1000);
  stage.rest(&one);
  stage.rest(&two);
  CHECK_FALSE(stage.widget.selected());
  CHECK_FALSE(stage.widget.range());
  CHECK(stage.widget.following());
}

TEST_CASE("rows that do not fit scroll") {
  Stage stage;
  const trace::Trace t = synthetic::dense(2000, 64);
  stage.rest(&t);
  const auto topmost_rank = [&] {
    for (float y = 30; y < 150; y += 3) {
      stage.click(&t, {100, y});
      if (stage.widget.selected()) return t.tracks()[t.span(*stage.widget.selected()).track].rank;
    }
    return -1;
  };
  CHECK(topmost_rank() == 0);
  for (int i = 0; i < 20; ++i) stage.press(&t, GLFW_KEY_DOWN);
  CHECK(topmost_rank() > 3);
  stage.mouse = {40, 300};  // the wheel over the names scrolls as well
  stage.frame(&t);
  stage.wheel = 100;
  stage.frame(&t);
  stage.rest(&t);
  CHECK(topmost_rank() == 0);
}

TEST_CASE("a frame of a million spans has as few vertices as a small trace's") {
  Stage stage;
  const trace::Trace t = synthetic::dense(1'000'000, 4);
  stage.rest(&t);
  CHECK(Stage::vertices() < 200'000);
}
