// Keys as views ask for them.
#include "app/gui/ui.h"

#include <GLFW/glfw3.h>

#include <algorithm>

namespace p2plab::gui {

bool Ui::pressed(int key) const {
  return std::any_of(keys.begin(), keys.end(), [key](const KeyPress& press) {
    return press.key == key && (press.mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) == 0;
  });
}

bool Ui::typed(unsigned character) const {
  return std::any_of(keys.begin(), keys.end(), [character](const KeyPress& press) { return press.character == character; });
}

}  // namespace p2plab::gui
