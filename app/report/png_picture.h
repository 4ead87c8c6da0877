// A picture as PNG, drawn with cairo and pango: for where SVG is not read.
#pragma once
#include <filesystem>

#include "app/report/picture.h"

namespace p2plab::report {

/// `scale`: dots per pixel. Throws Error "file.unwritable".
void write_png_picture(const std::filesystem::path& path, const Picture& picture, Theme theme = Theme::light, double scale = 2);

}  // namespace p2plab::report
