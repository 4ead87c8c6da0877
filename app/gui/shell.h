// One frame of the whole window: navigation, header, timeline, tabs, right column; and the keys that work everywhere.
#pragma once
#include "app/gui/app.h"

namespace p2plab::gui {

struct ShellResult {
  bool quit = false;
  bool screenshot = false;
};

ShellResult draw_shell(Ui& ui, App& app);

}  // namespace p2plab::gui
