// Signs that are drawn, not typed: the font lacks check marks and small triangles.
#pragma once
#include <imgui.h>

namespace p2plab::gui {

enum class Icon {
  none, play, stop, check, cross, question, down, right, copy,
  lessons, demos, labs, claims, drill, traces,
};

/// Centred at `at`, `size` pixels across.
void draw_icon(ImDrawList& draw, Icon icon, ImVec2 at, float size, ImU32 colour);

}  // namespace p2plab::gui
