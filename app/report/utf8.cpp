#include "app/report/utf8.h"

#include <cstdint>

namespace p2plab::report {
namespace {

/// Takes the first character off; U+FFFD for a malformed byte.
char32_t take(std::string_view& rest) {
  const std::size_t length = character_length(rest);
  if (length == 0) {
    rest.remove_prefix(1);
    return 0xFFFD;
  }
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  char32_t c = byte(0);
  if (length == 2) c = c & 0x1F;
  if (length == 3) c = c & 0x0F;
  if (length == 4) c = c & 0x07;
  for (std::size_t i = 1; i < length; ++i) c = (c << 6) | (byte(i) & 0x3FU);
  rest.remove_prefix(length);
  return c;
}

bool wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) || (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x20000 && c <= 0x3FFFD);
}

}  // namespace

std::size_t character_length(std::string_view s) {
  if (s.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 && lead <= 0xF4 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 && lead < 0xE0 ? 2 : 0;
  if (length == 0 || lead > 0xF4 || s.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Overlong forms, surrogates, and beyond U+10FFFF.
  if (lead == 0xE0 && byte(1) < 0xA0) return 0;
  if (lead == 0xED && byte(1) > 0x9F) return 0;
  if (lead == 0xF0 && byte(1) < 0x90) return 0;
  if (lead == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

std::string xml_text(std::string_view rest) {
  std::string out;
  out.reserve(rest.size());
  while (!rest.empty()) {
    const std::size_t length = character_length(rest);
    const std::string_view whole = rest.substr(0, length);
    const char32_t c = take(rest);
    if (length == 0 || (c < 0x20 && c != '\n' && c != '\t') || c == 0xFFFE || c == 0xFFFF) out += "\xEF\xBF\xBD";
    else if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else out += whole;
  }
  return out;
}

void append(std::string& utf8, char32_t character) {
  const auto byte = [&](char32_t bits) { utf8 += static_cast<char>(static_cast<unsigned char>(bits)); };
  if (character < 0x80) return byte(character);
  if (character < 0x800) {
    byte(0xC0 | character >> 6);
  } else if (character < 0x10000) {
    byte(0xE0 | character >> 12);
    byte(0x80 | (character >> 6 & 0x3F));
  } else {
    byte(0xF0 | character >> 18);
    byte(0x80 | (character >> 12 & 0x3F));
    byte(0x80 | (character >> 6 & 0x3F));
  }
  byte(0x80 | (character & 0x3F));
}

int columns(std::string_view rest) {
  int n = 0;
  while (!rest.empty()) n += wide(take(rest)) ? 2 : 1;
  return n;
}

double approximate_ems(std::string_view rest) {
  double ems = 0;
  while (!rest.empty()) {
    const char32_t c = take(rest);
    if (wide(c)) ems += 1;
    else if (c == 'i' || c == 'l' || c == '.' || c == ',' || c == ' ' || c == '\'' || c == 'j' || c == ':') ems += 0.3;
    else if (c == 'm' || c == 'w' || c == 'M' || c == 'W' || c == '%') ems += 0.9;
    else if (c >= 'A' && c <= 'Z') ems += 0.66;
    else ems += 0.57;
  }
  return ems;
}

}  // namespace p2plab::report
