// One frame of the whole window: navigation, header, timeline, tabs, right column; and the keys that work everywhere.
#pragma once
#include <optional>

#include "app/gui/app.h"
#include "app/gui/model/layout.h"

namespace p2plab::gui {

struct ShellResult {
  bool quit = false;
  bool screenshot = false;
  /// Where the picture can change without an event while a run is under way; nothing: anywhere.
  std::optional<Rect> live;
};

ShellResult draw_shell(Ui& ui, App& app);

}  // namespace p2plab::gui
