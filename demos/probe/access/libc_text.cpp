// Text in the C library: strings read up to their end, numbers up to their last character.
#include <algorithm>
#include <cstddef>

#include "demos/probe/access/in_front_of.h"
#include "demos/probe/access/text.h"
#include "demos/probe/access/touched.h"

using namespace p2plab::probe::access;

namespace {

constexpr std::size_t kNoLimit = ~std::size_t{0};

/// Two strings are read up to their first difference. `fold`: whether case counts not.
void read_both(const char* a, const char* b, std::size_t limit, bool fold, void* pc) {
  if (!anything_active()) return;
  const auto lower = [fold](char c) { return fold && c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  std::size_t size = 0;
  while (size < limit) {
    const char c = a[size], d = b[size];
    ++size;
    if (lower(c) != lower(d) || c == '\0') break;
  }
  read_by_call(a, size, pc);
  read_by_call(b, size, pc);
}

void copied_text(char* to, const char* from, void* pc) {
  if (!anything_active()) return;
  read_text(from, kNoLimit, pc);
  written_by_call(to, text_size(from, kNoLimit), pc);
}

/// A number was read from `text` up to `end`, and the character that ended it.
void read_number(const char* text, const char* end, void* pc) {
  read_by_call(text, static_cast<std::size_t>(end - text) + 1, pc);
}

/// A search that ended at `found`, or at the string's end.
void searched(const char* text, const char* found, void* pc) {
  if (!anything_active()) return;
  read_by_call(text, found != nullptr ? static_cast<std::size_t>(found - text) + 1 : text_size(text, kNoLimit), pc);
}

}  // namespace

IN_FRONT_OF(std::size_t, strlen, const char* text) {
  const std::size_t length = next_strlen(text);
  read_by_call(text, length + 1, CALLER);
  return length;
}
IN_FRONT_OF(std::size_t, strnlen, const char* text, std::size_t limit) {
  const std::size_t length = next_strnlen(text, limit);
  read_by_call(text, std::min(length + 1, limit), CALLER);
  return length;
}
IN_FRONT_OF(char*, strcpy, char* to, const char* from) {
  copied_text(to, from, CALLER);
  return next_strcpy(to, from);
}
IN_FRONT_OF(char*, stpcpy, char* to, const char* from) {
  copied_text(to, from, CALLER);
  return next_stpcpy(to, from);
}
IN_FRONT_OF(char*, strncpy, char* to, const char* from, std::size_t size) {
  read_text(from, size, CALLER);
  written_by_call(to, size, CALLER);  // the rest is filled with zeros
  return next_strncpy(to, from, size);
}
IN_FRONT_OF(char*, stpncpy, char* to, const char* from, std::size_t size) {
  read_text(from, size, CALLER);
  written_by_call(to, size, CALLER);
  return next_stpncpy(to, from, size);
}
IN_FRONT_OF(std::size_t, strxfrm, char* to, const char* from, std::size_t size) {
  read_text(from, kNoLimit, CALLER);
  const std::size_t length = next_strxfrm(to, from, size);
  if (length < size) written_by_call(to, length + 1, CALLER);
  return length;
}
IN_FRONT_OF(char*, strcat, char* to, const char* from) {
  if (anything_active()) {
    read_text(to, kNoLimit, CALLER);
    copied_text(to + text_size(to, kNoLimit) - 1, from, CALLER);
  }
  return next_strcat(to, from);
}
IN_FRONT_OF(char*, strncat, char* to, const char* from, std::size_t limit) {
  if (anything_active()) {
    read_text(to, kNoLimit, CALLER);
    read_text(from, limit, CALLER);
    const std::size_t size = text_size(from, limit);
    const bool cut = size == limit && (size == 0 || from[size - 1] != '\0');  // then a zero follows
    written_by_call(to + text_size(to, kNoLimit) - 1, size + (cut ? 1 : 0), CALLER);
  }
  return next_strncat(to, from, limit);
}
IN_FRONT_OF(int, strcmp, const char* a, const char* b) {
  read_both(a, b, kNoLimit, false, CALLER);
  return next_strcmp(a, b);
}
IN_FRONT_OF(int, strncmp, const char* a, const char* b, std::size_t limit) {
  read_both(a, b, limit, false, CALLER);
  return next_strncmp(a, b, limit);
}
IN_FRONT_OF(int, strcasecmp, const char* a, const char* b) {
  read_both(a, b, kNoLimit, true, CALLER);
  return next_strcasecmp(a, b);
}
IN_FRONT_OF(int, strncasecmp, const char* a, const char* b, std::size_t limit) {
  read_both(a, b, limit, true, CALLER);
  return next_strncasecmp(a, b, limit);
}
IN_FRONT_OF(int, strcoll, const char* a, const char* b) {
  read_both(a, b, kNoLimit, false, CALLER);
  return next_strcoll(a, b);
}
IN_FRONT_OF(char*, strchr, const char* text, int c) {
  char* const found = next_strchr(text, c);
  searched(text, found, CALLER);
  return found;
}
IN_FRONT_OF(char*, strrchr, const char* text, int c) {
  searched(text, nullptr, CALLER);
  return next_strrchr(text, c);
}
IN_FRONT_OF(char*, strstr, const char* text, const char* wanted) {
  char* const found = next_strstr(text, wanted);
  searched(text, found, CALLER);
  read_text(wanted, kNoLimit, CALLER);
  return found;
}
IN_FRONT_OF(char*, strcasestr, const char* text, const char* wanted) {
  char* const found = next_strcasestr(text, wanted);
  searched(text, found, CALLER);
  read_text(wanted, kNoLimit, CALLER);
  return found;
}
IN_FRONT_OF(char*, strchrnul, const char* text, int c) {
  char* const found = next_strchrnul(text, c);
  searched(text, found, CALLER);
  return found;
}
IN_FRONT_OF(char*, strpbrk, const char* text, const char* set) {
  char* const found = next_strpbrk(text, set);
  searched(text, found, CALLER);
  read_text(set, kNoLimit, CALLER);
  return found;
}
IN_FRONT_OF(std::size_t, strspn, const char* text, const char* set) {
  const std::size_t length = next_strspn(text, set);
  read_by_call(text, length + 1, CALLER);
  read_text(set, kNoLimit, CALLER);
  return length;
}
IN_FRONT_OF(std::size_t, strcspn, const char* text, const char* set) {
  const std::size_t length = next_strcspn(text, set);
  read_by_call(text, length + 1, CALLER);
  read_text(set, kNoLimit, CALLER);
  return length;
}
IN_FRONT_OF(char*, strtok, char* text, const char* separators) {
  char* const token = next_strtok(text, separators);
  if (token != nullptr) read_text(token, kNoLimit, CALLER);
  return token;
}
IN_FRONT_OF(char*, strsep, char** rest, const char* separators) {
  char* const token = next_strsep(rest, separators);
  if (token != nullptr) read_text(token, kNoLimit, CALLER);
  return token;
}
IN_FRONT_OF(char*, strdup, const char* text) {
  read_text(text, kNoLimit, CALLER);
  return next_strdup(text);
}
IN_FRONT_OF(char*, strndup, const char* text, std::size_t limit) {
  read_text(text, limit, CALLER);
  return next_strndup(text, limit);
}

// strtol and its like; with glibc 2.38 programs call the names of C23, which an older glibc lacks.
#define NUMBER(result, name, fallback, ...)                                               \
  IN_FRONT_OF(result, name, const char* text, char** end __VA_OPT__(, ) __VA_ARGS__) {    \
    char* stop = nullptr;                                                                 \
    static constinit Next<decltype(in_front_of_##name)> other{#fallback};                 \
    auto* const convert = next_##name.get() != nullptr ? next_##name.get() : other.get(); \
    const result value = convert(text, &stop __VA_OPT__(, base));                         \
    read_number(text, stop, CALLER);                                                      \
    if (end != nullptr) *end = stop;                                                      \
    return value;                                                                         \
  }
NUMBER(long, strtol, strtol, int base)
NUMBER(long long, strtoll, strtoll, int base)
NUMBER(unsigned long, strtoul, strtoul, int base)
NUMBER(unsigned long long, strtoull, strtoull, int base)
NUMBER(long, __isoc23_strtol, strtol, int base)
NUMBER(long long, __isoc23_strtoll, strtoll, int base)
NUMBER(unsigned long, __isoc23_strtoul, strtoul, int base)
NUMBER(unsigned long long, __isoc23_strtoull, strtoull, int base)
NUMBER(double, strtod, strtod)
NUMBER(float, strtof, strtof)
NUMBER(long double, strtold, strtold)

IN_FRONT_OF(int, atoi, const char* text) {
  char* end = nullptr;
  const long value = next_strtol(text, &end, 10);
  read_number(text, end, CALLER);
  return static_cast<int>(value);
}
IN_FRONT_OF(long, atol, const char* text) {
  char* end = nullptr;
  const long value = next_strtol(text, &end, 10);
  read_number(text, end, CALLER);
  return value;
}
IN_FRONT_OF(long long, atoll, const char* text) {
  char* end = nullptr;
  const long long value = next_strtoll(text, &end, 10);
  read_number(text, end, CALLER);
  return value;
}
IN_FRONT_OF(double, atof, const char* text) {
  char* end = nullptr;
  const double value = next_strtod(text, &end);
  read_number(text, end, CALLER);
  return value;
}
