// The language is switched while the window is open.
#include "tests/gui/app_stage.h"

using namespace p2plab;
using namespace p2plab::stage_test;

TEST_CASE("F2 switches to Chinese and back at run time, in every place, and no character is missing") {
  AppStage stage;
  if (!stage.fonts.has_chinese()) {
    WARN("skipped: no Chinese font (sudo apt install fonts-noto-cjk)");
    return;
  }
  for (int place = 0; place < gui::kPlaces; ++place) {
    stage.app.model.place = static_cast<gui::Place>(place);
    for (const auto language : {content::Language::zh, content::Language::en}) {
      INFO(gui::to_string(stage.app.model.place) << (language == content::Language::zh ? " zh" : " en"));
      stage.press(GLFW_KEY_F2);
      CHECK(stage.text.language() == language);
      CHECK(ImGui::GetDrawData()->TotalVtxCount > 500);
      CHECK(AppStage::missing() == 0);
    }
  }
}

#if IMGUI_VERSION_NUM < 19200
TEST_CASE("a character that the fonts lack is counted as missing") {
  AppStage stage;
  stage.app.notice = "\xe9\xbe\x98\xe9\xbe\x98";  // stands in no text
  stage.app.notice_until = 1e9;
  stage.frame();
  CHECK(AppStage::missing() == 2);
}
#endif
