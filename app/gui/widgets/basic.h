// The few things everything is made of: panels, text that wraps or is cut with a tooltip, buttons, chips, tabs.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/model/layout.h"
#include "app/gui/ui.h"
#include "app/gui/widgets/icons.h"

namespace p2plab::gui {

/// A rectangle with 6 px corners in panel colour; its content scrolls when it is longer.
bool begin_panel(const Ui& ui, const char* id, Rect rect, bool scroll = true);
void end_panel();
/// A child of stated place, without colour.
void begin_area(const Ui& ui, const char* id, Rect rect, bool padded = false, bool scroll = false);
void end_area();

float width_of(ImFont* font, std::string_view text);
// The font draws “ and ” as wide as a Chinese character; in English text that these two draw they are narrow.

/// One line at the cursor. Cut to `width` (0: never) with the whole as its tooltip.
void line(const Ui& ui, ImFont* font, report::Rgb colour, std::string_view text, float width = 0);
/// The label as it fits into `width`, with an ellipsis when it was cut.
std::string cut_label(const Ui& ui, std::string_view label, float width);
/// As many lines as it takes; `width` 0 means what the panel has left.
void paragraph(const Ui& ui, ImFont* font, report::Rgb colour, std::string_view text, float width = 0);
/// Shown while the last item is hovered; wraps at a readable width.
void tooltip(const Ui& ui, std::string_view text);
/// Draws text at a place, no item.
void draw_text(ImFont* font, ImVec2 at, ImU32 colour, std::string_view text);
void hairline(const Ui& ui);

/// The one primary button of a place.
bool primary_button(const Ui& ui, const char* id, Icon icon, std::string_view label, ImVec2 size, bool stop = false);
/// A quiet button; `on` lights it.
bool button(const Ui& ui, const char* id, std::string_view label, bool on = false, Icon icon = Icon::none);
float button_width(const Ui& ui, std::string_view label, Icon icon = Icon::none);
/// A knob: its name muted, its value, a small triangle.
bool chip(const Ui& ui, const char* id, std::string_view name, std::string_view value);
float chip_width(const Ui& ui, std::string_view name, std::string_view value);

struct TabItem {
  std::string label;
  bool marked = false;  ///< something in it wants to be seen
};
/// A row of words within `width`, the chosen one underlined with 2 px of accent. Returns the chosen index.
int tabs(const Ui& ui, const char* id, const std::vector<TabItem>& items, int chosen, float width);
/// The least width that tabs() can do with.
float tabs_width(const Ui& ui, const std::vector<TabItem>& items);
float tabs_height(const Ui& ui);

}  // namespace p2plab::gui
