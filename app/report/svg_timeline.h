// The timeline as SVG: real text that can be searched and selected, a tooltip on every block, and both themes.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "app/report/svg_picture.h"
#include "app/report/timeline_picture.h"

namespace p2plab::report {

struct SvgOptions {
  PictureOptions picture;
  std::optional<Theme> theme;     ///< follows the reader's system when not given
  std::string prefix = "p2plab";  ///< of every id and class, so that several pictures can stand in one page
};

std::string svg_timeline(const trace::Trace& trace, const content::Text& text, const PictureText& around = {}, const SvgOptions& options = {});
/// Throws Error "file.unwritable".
void write_svg_timeline(const std::filesystem::path& path, const trace::Trace& trace, const content::Text& text,
                        const PictureText& around = {}, const SvgOptions& options = {});

}  // namespace p2plab::report
