// The window's grid.
#include "app/gui/model/layout.h"

#include <algorithm>

namespace p2plab::gui {

Layout lay_out(float width, float height, float header, float walkthrough) {
  constexpr float kMargin = 16, kGap = 12, kWords = 208, kIcons = 56, kRight = 308;
  Layout out;
  out.icons = width < kWordsFrom;
  out.right_column = width >= kRightColumnFrom;
  out.navigation = {0, 0, out.icons ? kIcons : kWords, height};
  const float left = out.navigation.w + kMargin;
  const float end = width - kMargin;
  out.header = {left, 8, end - left, header};
  float top = out.header.bottom() + kGap;
  const float bottom = height - kMargin;
  if (walkthrough > 0) {
    out.walkthrough = {left, top, end - left, walkthrough};
    top = out.walkthrough.bottom() + kGap;
  }
  float middle = end - left;
  if (out.right_column) {
    const float right = std::clamp(width * 0.26f, kRight, 480.0f);
    middle -= right + kGap;
    out.right = {end - right, top, right, bottom - top};
  }
  // The timeline is the largest thing; the tabs below it keep what five lines of numbers need.
  const float both = std::max(0.0f, bottom - top - kGap);
  const float tabs = std::clamp(both * 0.36f, std::min(both * 0.5f, 200.0f), 320.0f);
  out.timeline = {left, top, middle, both - tabs};
  out.tabs = {left, out.timeline.bottom() + kGap, middle, tabs};
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
