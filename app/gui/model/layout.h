// Where the parts of the window are, from its size alone. All lengths are design pixels (before the scale).
#pragma once
#include <cstddef>
#include <vector>

namespace p2plab::gui {

struct Rect {
  float x = 0, y = 0, w = 0, h = 0;
  float right() const { return x + w; }
  float bottom() const { return y + h; }
};

/// Below this width the right column becomes a tab.
constexpr float kRightColumnFrom = 1100;
/// Below this width the navigation shows icons.
constexpr float kWordsFrom = 820;

/// With less than this below the header, timeline and tabs share one place: the timeline is a tab.
constexpr float kStackedUnder = 300;

/// In a window lower than this the guide's words are small and its buttons stand in one line above them.
constexpr float kLowGuideUnder = 700;

struct Layout {
  bool stacked = false;       ///< timeline and tabs are the same rectangle, and one of them is shown
  bool icons = false;         ///< the navigation shows icons only
  bool right_column = true;   ///< code, selection and verdict stand beside the timeline
  Rect navigation, header, walkthrough, timeline, tabs, right;
};

/// `header` is the height that title, conditions and knobs take; `walkthrough` that of the guide's panel, 0 without one.
Layout lay_out(float width, float height, float header, float walkthrough);

/// Where a tooltip of this size stands: below the item it explains, else above it, so that it covers neither the item nor what
/// stands beside it; within the window. Of a tall item, as a chart is, beside the pointer.
Rect tooltip_place(const Rect& item, float width, float height, float pointer_x, float pointer_y, float screen_width, float screen_height, float gap);

/// How many of these widths fit side by side with `gap` between; when not all do, `more` is kept free for the rest.
std::size_t fitting(const std::vector<float>& widths, float available, float gap, float more);

}  // namespace p2plab::gui
