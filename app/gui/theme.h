// Colours and measures of the window: the palette of app/report in ImGui's terms, and a grid of 8 px that scales.
#pragma once
#include <imgui.h>

#include "app/report/palette.h"

namespace p2plab::gui {

class Theme {
 public:
  explicit Theme(report::Theme which = report::Theme::dark, float scale = 1) : which_(which), scale_(scale) {}
  report::Theme which() const { return which_; }
  float scale() const { return scale_; }
  const report::Palette& palette() const { return report::palette(which_); }
  /// Design pixels to screen pixels, on whole pixels.
  float px(float design) const { return static_cast<float>(static_cast<int>(design * scale_ + 0.5f)); }
  /// Sets ImGui's style: no frames in frames, 6 px corners, this palette.
  void apply() const;

 private:
  report::Theme which_;
  float scale_;
};

/// 0xRRGGBB with an opacity, as ImGui's draw lists take it.
ImU32 colour(report::Rgb rgb, float alpha = 1);
ImVec4 colour4(report::Rgb rgb, float alpha = 1);
/// `share` of b over a, opaque: for tinted panels.
report::Rgb mix(report::Rgb a, report::Rgb b, float share);

}  // namespace p2plab::gui
