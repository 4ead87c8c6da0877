// A knob's value and the popup that changes it: a list for a choice and for sizes, a field for a number.
#pragma once
#include "app/gui/app.h"

namespace p2plab::gui {

std::string knob_help(const Ui& ui, const App& app, const std::string& id);
/// Ids that begin with `@` are conditions of the run. Draws the popup if it is open.
void knob_popup(Ui& ui, App& app, const char* popup, const std::string& id, ImVec2 at);

}  // namespace p2plab::gui
