// The parts of the place of labs that stand in files of their own.
#pragma once
#include "app/gui/app.h"
#include "app/gui/model/layout.h"

namespace p2plab::gui {

/// Title, state, and what can be done with the lab that is open; takes its keys. The height it took.
float draw_lab_head(Ui& ui, App& app, Rect rect);
/// What the last check has found, failures first; before any check, what will be looked at.
void draw_lab_result(Ui& ui, App& app, float width);
/// The run that shows the failure.
void draw_lab_timeline(Ui& ui, App& app);

/// "passed", "started" or "new", as texts name it.
std::string lab_state_word(const check::LabState& state);
report::Rgb lab_state_ink(const Ui& ui, const check::LabState& state);
/// A button that the keyboard can reach, too.
bool focus_button(Ui& ui, Focus& focus, const char* id, const std::string& label, bool on = false);

}  // namespace p2plab::gui
