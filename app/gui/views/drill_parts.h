// What the drill's views share: a row to tick, a key with what it does, the three clocks, the chart of calibration.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/content/deck.h"
#include "app/gui/app.h"
#include "app/gui/ui.h"

namespace p2plab::gui {

/// A box, the key that ticks it, and a text that wraps; true when clicked.
bool tick_row(const Ui& ui, const char* id, std::string_view key, std::string_view text, bool on, report::Rgb mark, float width);
/// A quiet button that names its key: "Enter  next"; true when clicked.
bool key_button(const Ui& ui, const char* id, std::string_view key, std::string_view label, bool on = false);
/// Goes to the next line where the next button would not fit.
void flow(const Ui& ui, std::string_view key, std::string_view label, float right);
/// Time gone on a bar with marks at 0:30, 2:00 and 5:00; `meant` is the one for this card, in seconds.
void clocks(const Ui& ui, double seconds, int meant, float width);
/// Confidence against how often it was right, with the diagonal; the areas of the dots are the numbers of answers.
void calibration_chart(const Ui& ui, const std::vector<content::CalibrationRow>& rows, float width, float height);
/// Arrows and page keys scroll what is drawn now.
void scroll_by_keys(const Ui& ui);

/// Buttons that write the cards and the progress as files.
void draw_exports(Ui& ui, App& app, float width);

}  // namespace p2plab::gui
