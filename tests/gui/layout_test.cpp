#include "app/gui/model/layout.h"
#include "tests/support/catch.h"

using namespace p2plab::gui;

TEST_CASE("a wide window has words in the navigation and a right column") {
  const auto at = lay_out(1280, 800, 100, 0);
  CHECK_FALSE(at.icons);
  CHECK(at.right_column);
  CHECK(at.navigation.w == 208);
  CHECK(at.right.right() == 1264);
  CHECK(at.timeline.right() < at.right.x);
}

TEST_CASE("under 1100 px the right column becomes a tab, under 820 px the navigation shows icons") {
  CHECK(lay_out(1100, 700, 100, 0).right_column);
  CHECK_FALSE(lay_out(1099, 700, 100, 0).right_column);
  CHECK_FALSE(lay_out(820, 600, 100, 0).icons);
  CHECK(lay_out(819, 600, 100, 0).icons);
}

TEST_CASE("nothing overlaps and nothing leaves the window, whatever its size") {
  for (const float width : {320.0f, 400.0f, 640.0f, 800.0f, 1000.0f, 1280.0f, 2560.0f})
    for (const float height : {240.0f, 300.0f, 480.0f, 600.0f, 800.0f, 1440.0f})
      for (const float guide : {0.0f, 100.0f}) {
        const auto at = lay_out(width, height, 100, guide);
        CHECK(at.timeline.y >= at.header.bottom());
        if (!at.stacked) CHECK(at.tabs.y >= at.timeline.bottom());
        CHECK(at.tabs.bottom() <= height);
        CHECK(at.timeline.x >= at.navigation.right());
        CHECK(at.timeline.h > 0);
        CHECK(at.tabs.h > 0);
        CHECK(at.timeline.right() <= width);
        if (at.right_column) CHECK(at.right.x >= at.timeline.right());
        if (guide > 0) CHECK(at.walkthrough.bottom() <= at.timeline.y);
      }
}

TEST_CASE("a low window gives timeline and tabs the same place, so that neither is squeezed to nothing") {
  CHECK_FALSE(lay_out(800, 600, 100, 0).stacked);
  const auto low = lay_out(400, 300, 100, 0);  // 800x600 at scale 2
  CHECK(low.stacked);
  CHECK(low.timeline.y == low.tabs.y);
  CHECK(low.timeline.h == low.tabs.h);
  CHECK(low.timeline.h > 170);
  CHECK(low.timeline.w > 320);
  CHECK(lay_out(400, 300, 100, 200).timeline.h > 80);  // also beside the guide
}

TEST_CASE("the timeline is the largest thing when there is no guide") {
  const auto at = lay_out(1280, 800, 100, 0);
  CHECK(at.timeline.h > at.tabs.h);
  CHECK(at.timeline.w > at.right.w);
}

TEST_CASE("a tooltip covers neither what it explains nor what stands beside it, and stays in the window") {
  for (const float scale : {1.0f, 2.0f})
    for (float x = 0; x < 800; x += 37)
      for (float y = 0; y < 600; y += 29)
        for (const float height : {20.0f, 60.0f, 150.0f}) {
          const Rect item{x, y, 100, 26};
          const Rect tip = tooltip_place(item, 300, height, x + 20, y + 10, 800 * scale, 600 * scale, 6 * scale);
          INFO(x << " " << y << " " << height);
          CHECK((tip.y >= item.bottom() || tip.bottom() <= item.y));  // the whole row stays free
          CHECK(tip.x >= 0);
          CHECK(tip.y >= 0);
          CHECK(tip.right() <= 800 * scale);
          CHECK(tip.bottom() <= 600 * scale);
        }
  const Rect beside_pointer = tooltip_place({0, 0, 700, 500}, 300, 60, 350, 250, 800, 600, 6);
  CHECK(beside_pointer.x > 350);
  CHECK(beside_pointer.y > 250);
}

TEST_CASE("chips that do not fit leave room for the one that holds the rest") {
  CHECK(fitting({100, 100, 100}, 320, 8, 60) == 3);
  CHECK(fitting({100, 100, 100}, 316, 8, 60) == 3);
  CHECK(fitting({100, 100, 100}, 315, 8, 60) == 2);
  CHECK(fitting({100, 100, 100}, 150, 8, 60) == 0);
  CHECK(fitting({}, 10, 8, 60) == 0);
}
