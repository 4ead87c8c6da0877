// What every view is given to draw with: colours, fonts, texts, and the keys pressed since the last frame.
#pragma once
#include <vector>

#include "app/content/text.h"
#include "app/gui/fonts.h"
#include "app/gui/theme.h"

namespace p2plab::gui {

/// A key press, by GLFW's names (the same in every version of ImGui).
struct KeyPress {
  int key = 0;             ///< GLFW_KEY_…, or 0 when `character` says it
  int mods = 0;            ///< GLFW_MOD_…
  unsigned character = 0;  ///< Unicode, for keys like `?` that differ between keyboards
  bool repeat = false;
};

struct Ui {
  const Theme& theme;
  const Fonts& fonts;
  const content::Text& text;
  /// Empty while a text field has the keyboard.
  std::vector<KeyPress> keys;
  bool animate = true;      ///< motion may be switched off
  double seconds = 0;       ///< of a clock that only goes forward, for easing
  bool moving = false;      ///< a view sets it while something still moves: draw the next frame soon

  float px(float design) const { return theme.px(design); }
  const report::Palette& palette() const { return theme.palette(); }
  /// True when the key was pressed without Ctrl, Alt or Super.
  bool pressed(int key) const;
  bool typed(unsigned character) const;
};

}  // namespace p2plab::gui
