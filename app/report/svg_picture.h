// A picture as SVG: real text that can be searched and selected, tooltips, and both themes.
#pragma once
#include <optional>
#include <string>

#include "app/content/text.h"
#include "app/report/picture.h"

namespace p2plab::report {

struct SvgStyle {
  std::optional<Theme> theme;     ///< follows the reader's system when not given
  std::string prefix = "p2plab";  ///< of every id and class, so that several pictures can stand in one page
};

std::string svg_picture(const Picture& picture, content::Language language, const SvgStyle& style = {});

}  // namespace p2plab::report
