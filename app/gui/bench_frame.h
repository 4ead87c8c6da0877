// What one frame of the timeline costs: deciding what is drawn and making the draw lists, without a window or a GPU.
#pragma once
#include <string>

#include "app/content/text.h"

namespace p2plab::gui {

/// Prints a table, and the same numbers as JSON where `json` says (empty: nowhere; "-": stdout, the table to stderr).
/// Exit status 0, or 1 when a frame takes longer than 16 ms.
int bench_frame(const content::Text& text, const std::string& json);

}  // namespace p2plab::gui
