// The frame of every HTML page that is written for reading or printing: no script, no network, both themes.
#pragma once
#include <string>
#include <string_view>

#include "app/content/text.h"

namespace p2plab::report {

/// `body` is HTML already; `style` is added to the common style.
std::string html_page(std::string_view title, std::string_view body, content::Language language, std::string_view style = "");

}  // namespace p2plab::report
