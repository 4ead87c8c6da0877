// The parts of the place of claims that stand in files of their own.
#pragma once
#include "app/gui/app.h"

namespace p2plab::gui {

/// The verdict's word on its colour.
void verdict_badge(const Ui& ui, content::ClaimVerdict verdict);
float verdict_badge_width(const Ui& ui, content::ClaimVerdict verdict);
/// An experiment of the open claim at the cursor, `width` wide: its commands, its button, and what came of it.
void draw_experiment(Ui& ui, App& app, bool counter, float width);
/// A button that the keyboard can reach, too.
bool reached(Ui& ui, ClaimsPage& page, bool clicked);

}  // namespace p2plab::gui
