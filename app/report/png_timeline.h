// The timeline as PNG, drawn with cairo and pango: the same picture as the SVG, for where SVG is not read.
#pragma once
#include <filesystem>

#include "app/report/timeline_picture.h"

namespace p2plab::report {

struct PngOptions {
  PictureOptions picture;
  Theme theme = Theme::light;
  double scale = 2;  ///< dots per pixel
};

/// Throws Error "file.unwritable".
void write_png_timeline(const std::filesystem::path& path, const trace::Trace& trace, const content::Text& text,
                        const PictureText& around = {}, const PngOptions& options = {});

}  // namespace p2plab::report
