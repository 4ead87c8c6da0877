// Wide characters in the C library: what is copied, set, compared and measured, in elements of wchar_t.
#include <cstddef>

#include "demos/probe/access/in_front_of.h"
#include "demos/probe/access/touched.h"

using namespace p2plab::probe::access;

namespace {

/// Elements of the string with its end.
std::size_t wide_size(const wchar_t* text) {
  std::size_t size = 0;
  while (text[size++] != L'\0') {
  }
  return size;
}

void read_wide(const wchar_t* text, std::size_t count, void* pc) { read_by_call(text, count * sizeof *text, pc); }
void written_wide(wchar_t* text, std::size_t count, void* pc) { written_by_call(text, count * sizeof *text, pc); }

/// `count` elements of either are compared, or as many as are needed to tell them apart; `texts` end at a zero.
void read_both_wide(const wchar_t* a, const wchar_t* b, std::size_t count, bool texts, void* pc) {
  if (!anything_active()) return;
  std::size_t size = 0;
  while (size < count) {
    const wchar_t c = a[size], d = b[size];
    ++size;
    if (c != d || (texts && c == L'\0')) break;
  }
  read_wide(a, size, pc);
  read_wide(b, size, pc);
}

constexpr std::size_t kNoLimit = ~std::size_t{0};

}  // namespace

IN_FRONT_OF(wchar_t*, wmemcpy, wchar_t* to, const wchar_t* from, std::size_t count) {
  read_wide(from, count, CALLER);
  written_wide(to, count, CALLER);
  return next_wmemcpy(to, from, count);
}
IN_FRONT_OF(wchar_t*, wmemmove, wchar_t* to, const wchar_t* from, std::size_t count) {
  read_wide(from, count, CALLER);
  written_wide(to, count, CALLER);
  return next_wmemmove(to, from, count);
}
IN_FRONT_OF(wchar_t*, wmemset, wchar_t* to, wchar_t value, std::size_t count) {
  written_wide(to, count, CALLER);
  return next_wmemset(to, value, count);
}
IN_FRONT_OF(int, wmemcmp, const wchar_t* a, const wchar_t* b, std::size_t count) {
  read_both_wide(a, b, count, false, CALLER);
  return next_wmemcmp(a, b, count);
}
IN_FRONT_OF(std::size_t, wcslen, const wchar_t* text) {
  const std::size_t length = next_wcslen(text);
  read_wide(text, length + 1, CALLER);
  return length;
}
IN_FRONT_OF(wchar_t*, wcscpy, wchar_t* to, const wchar_t* from) {
  if (anything_active()) {
    read_wide(from, wide_size(from), CALLER);
    written_wide(to, wide_size(from), CALLER);
  }
  return next_wcscpy(to, from);
}
IN_FRONT_OF(int, wcscmp, const wchar_t* a, const wchar_t* b) {
  read_both_wide(a, b, kNoLimit, true, CALLER);
  return next_wcscmp(a, b);
}
