// A picture of the window as a PNG file.
#pragma once
#include <filesystem>

#include "app/gui/window.h"

namespace p2plab::gui {

/// Whole or not at all; throws Error "file.unwritable" or "gui.screenshot".
void write_png(const std::filesystem::path& file, const Picture& picture);

}  // namespace p2plab::gui
