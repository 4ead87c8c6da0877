// Strings that a function of the C library reads.
#pragma once
#include <cstddef>

#include "demos/probe/access/touched.h"

namespace p2plab::probe::access {

/// Bytes of the string with its end, at most `limit`; by hand, because strlen() is one of those we stand in front of.
inline std::size_t text_size(const char* text, std::size_t limit) {
  std::size_t size = 0;
  while (size < limit) {
    if (text[size++] == '\0') break;
  }
  return size;
}

inline void read_text(const char* text, std::size_t limit, void* pc) {
  if (anything_active() && text != nullptr) read_by_call(text, text_size(text, limit), pc);
}

}  // namespace p2plab::probe::access
