// Text inside XML, and how wide text will be where no font can be asked.
#pragma once
#include <string>
#include <string_view>

namespace p2plab::report {

/// Escaped for element content and attributes; what XML cannot hold (control characters, malformed UTF-8) becomes U+FFFD.
std::string xml_text(std::string_view utf8);

/// Length of the UTF-8 character at the front, 0 if it is malformed.
std::size_t character_length(std::string_view utf8);
/// One character more.
void append(std::string& utf8, char32_t character);
/// Columns of a terminal that a text takes: two for East Asian wide characters.
int columns(std::string_view utf8);
/// Width in multiples of the font size, rather too wide than too narrow.
double approximate_ems(std::string_view utf8);

}  // namespace p2plab::report
