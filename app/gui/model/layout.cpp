// The window's grid.
#include "app/gui/model/layout.h"

#include <algorithm>

namespace p2plab::gui {

Layout lay_out(float width, float height, float header, float walkthrough) {
  constexpr float kWords = 208, kIcons = 60, kRight = 308;
  Layout out;
  out.stacked = height - 8 - header - 12 - 16 < kStackedUnder;
  const float margin = out.stacked ? 8 : 16, gap = out.stacked ? 6 : 12;
  out.icons = width < kWordsFrom;
  out.right_column = width >= kRightColumnFrom;
  out.navigation = {0, 0, out.icons ? kIcons : kWords, height};
  const float left = out.navigation.w + margin;
  const float end = width - margin;
  out.header = {left, out.stacked ? 2.0f : 8.0f, end - left, header};
  float top = out.header.bottom() + gap;
  const float bottom = height - margin;
  if (walkthrough > 0) {
    // Of a low window the guide takes no more than a third; its words scroll.
    if (out.stacked) walkthrough = std::min(walkthrough, std::max(0.0f, bottom - top) * 0.4f);
    out.walkthrough = {left, top, end - left, walkthrough};
    top = out.walkthrough.bottom() + gap;
  }
  float middle = end - left;
  if (out.right_column) {
    const float right = std::clamp(width * 0.26f, kRight, 480.0f);
    middle -= right + gap;
    out.right = {end - right, top, right, bottom - top};
  }
  if (out.stacked) {
    out.timeline = out.tabs = {left, top, middle, std::max(0.0f, bottom - top)};
    return out;
  }
  // The timeline is the largest thing; the tabs below it keep what five lines of numbers need.
  const float both = std::max(0.0f, bottom - top - gap);
  // Beside a guide, which speaks of several ranks, two lines of numbers do.
  const float tabs = std::clamp(both * 0.36f, std::min(both * 0.5f, walkthrough > 0 ? 128.0f : 200.0f), 320.0f);
  out.timeline = {left, top, middle, both - tabs};
  out.tabs = {left, out.timeline.bottom() + gap, middle, tabs};
  return out;
}

Rect tooltip_place(const Rect& item, float width, float height, float pointer_x, float pointer_y, float screen_width, float screen_height, float gap) {
  constexpr float kTall = 10, kWide = 40;  // in gaps
  const bool below = item.bottom() + gap + height <= screen_height, above = item.y - gap - height >= 0;
  Rect out{item.w > kWide * gap ? pointer_x : item.x, below ? item.bottom() + gap : item.y - gap - height, width, height};
  if (item.h > kTall * gap || (!below && !above)) {
    out.x = pointer_x + 2 * gap;
    out.y = pointer_y + 2 * gap;
    if (out.right() > screen_width) out.x = pointer_x - gap - width;
  }
  out.x = std::clamp(out.x, 0.0f, std::max(0.0f, screen_width - width));
  out.y = std::clamp(out.y, 0.0f, std::max(0.0f, screen_height - height));
  return out;
}

std::size_t fitting(const std::vector<float>& widths, float available, float gap, float more) {
  float all = 0;
  for (const float w : widths) all += w + gap;
  if (all - gap <= available) return widths.size();
  float used = more;
  std::size_t count = 0;
  while (count < widths.size() && used + gap + widths[count] <= available) used += gap + widths[count++];
  return count;
}

}  // namespace p2plab::gui
