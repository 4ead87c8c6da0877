// The parts of the timeline on the screen: names, axis, rows, the line below.
#pragma once
#include "app/gui/widgets/timeline.h"

namespace p2plab::gui {

struct TimelineWidget::Area {
  report::Box all, rows, axis, bottom;
  static constexpr float kLow = 150, kLine = 28, kNextLine = 18;  ///< design pixels
  double scale = 1;
  bool hovered = false;

  Area(const Ui& ui, ImVec2 at, ImVec2 size, int legend_lines) : scale(ui.theme.scale()) {
    all = {at.x, at.y, at.x + size.x, at.y + size.y};
    // A low timeline is all rows: names are narrower and the line below, whose buttons all have keys, is left out.
    const bool low = size.y < ui.px(kLow);
    const double names = ui.px(size.x < ui.px(420) ? 64 : 88), axis_height = ui.px(low ? 20 : 26), bottom_height = low ? 0 : ui.px(kLine + static_cast<float>(legend_lines - 1) * kNextLine);
    axis = {all.x0 + names, all.y0, all.x1, all.y0 + axis_height};
    bottom = {all.x0, all.y1 - bottom_height, all.x1, all.y1};
    rows = {axis.x0, axis.y1, all.x1, bottom.y0};
  }
  static bool inside(const report::Box& box, ImVec2 p) { return p.x >= box.x0 && p.x < box.x1 && p.y >= box.y0 && p.y < box.y1; }
  double fraction(float x) const { return (x - rows.x0) / std::max(1.0, rows.width()); }
  report::Frame frame(double scroll) const { return {rows.x0, rows.y0 - scroll, all.x0, scale}; }
};

}  // namespace p2plab::gui
