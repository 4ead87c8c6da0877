// Formatted reading and writing in the C library: strings behind %s, variables behind scanf's pointers, and the buffer.
#include <algorithm>
#include <cstdarg>
#include <cstddef>
#include <cstdio>

#include "demos/probe/access/format.h"
#include "demos/probe/access/in_front_of.h"
#include "demos/probe/access/text.h"
#include "demos/probe/access/touched.h"

using namespace p2plab::probe::access;

namespace {

constexpr std::size_t kNoLimit = ~std::size_t{0};

/// Before printf.
void printed(const char* format, std::va_list arguments, void* pc) {
  if (!anything_active()) return;
  read_text(format, kNoLimit, pc);
  std::va_list copy;
  va_copy(copy, arguments);
  for (const FormatArgument& argument : printf_arguments(format, copy)) {
    if (argument.kind == FormatArgument::text)
      read_text(static_cast<const char*>(argument.pointer), argument.limit, pc);
    else
      written_by_call(argument.pointer, argument.limit, pc);
  }
  va_end(copy);
}

/// After sprintf, which would have liked to write `length` characters and a zero into `size` bytes.
void printed_into(char* to, std::size_t size, int length, void* pc) {
  if (length >= 0) written_by_call(to, std::min(static_cast<std::size_t>(length) + 1, size), pc);
}

/// After scanf.
void scanned(const char* format, std::va_list arguments, int converted, void* pc) {
  if (!anything_active()) return;
  std::va_list copy;
  va_copy(copy, arguments);
  for (const FormatArgument& argument : scanf_arguments(format, copy)) {
    if (converted < 0 || argument.converted > static_cast<std::size_t>(converted)) break;
    const std::size_t size = argument.kind == FormatArgument::text
                                 ? text_size(static_cast<const char*>(argument.pointer), kNoLimit)
                                 : argument.limit;
    written_by_call(argument.pointer, size, pc);
  }
  va_end(copy);
}

}  // namespace

IN_FRONT_OF(int, vfprintf, std::FILE* file, const char* format, std::va_list arguments) {
  printed(format, arguments, CALLER);
  return next_vfprintf(file, format, arguments);
}
IN_FRONT_OF(int, vprintf, const char* format, std::va_list arguments) {
  printed(format, arguments, CALLER);
  return next_vprintf(format, arguments);
}
IN_FRONT_OF(int, vdprintf, int file, const char* format, std::va_list arguments) {
  printed(format, arguments, CALLER);
  return next_vdprintf(file, format, arguments);
}
IN_FRONT_OF(int, vsprintf, char* to, const char* format, std::va_list arguments) {
  printed(format, arguments, CALLER);
  const int length = next_vsprintf(to, format, arguments);
  printed_into(to, kNoLimit, length, CALLER);
  return length;
}
IN_FRONT_OF(int, vsnprintf, char* to, std::size_t size, const char* format, std::va_list arguments) {
  printed(format, arguments, CALLER);
  const int length = next_vsnprintf(to, size, format, arguments);
  printed_into(to, size, length, CALLER);
  return length;
}
IN_FRONT_OF(int, vasprintf, char** to, const char* format, std::va_list arguments) {
  printed(format, arguments, CALLER);
  return next_vasprintf(to, format, arguments);
}
IN_FRONT_OF(int, asprintf, char** to, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  printed(format, arguments, CALLER);
  const int length = next_vasprintf(to, format, arguments);
  va_end(arguments);
  return length;
}
IN_FRONT_OF(int, printf, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  printed(format, arguments, CALLER);
  const int length = next_vprintf(format, arguments);
  va_end(arguments);
  return length;
}
IN_FRONT_OF(int, fprintf, std::FILE* file, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  printed(format, arguments, CALLER);
  const int length = next_vfprintf(file, format, arguments);
  va_end(arguments);
  return length;
}
IN_FRONT_OF(int, dprintf, int file, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  printed(format, arguments, CALLER);
  const int length = next_vdprintf(file, format, arguments);
  va_end(arguments);
  return length;
}
IN_FRONT_OF(int, sprintf, char* to, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  printed(format, arguments, CALLER);
  const int length = next_vsprintf(to, format, arguments);
  va_end(arguments);
  printed_into(to, kNoLimit, length, CALLER);
  return length;
}
IN_FRONT_OF(int, snprintf, char* to, std::size_t size, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  printed(format, arguments, CALLER);
  const int length = next_vsnprintf(to, size, format, arguments);
  va_end(arguments);
  printed_into(to, size, length, CALLER);
  return length;
}

/// The body of a scanf with arguments of its own: they are read twice, by the C library and by us.
#define SCAN(call)                                 \
  std::va_list arguments;                          \
  va_start(arguments, format);                     \
  const int converted = call;                      \
  va_end(arguments);                               \
  va_start(arguments, format);                     \
  scanned(format, arguments, converted, CALLER);   \
  va_end(arguments);                               \
  return converted;
// scanf has a name for each standard of C; the program's standard decides, and an old glibc lacks the newest.
#define SCANF(standard)                                                                               \
  IN_FRONT_OF(int, standard##vfscanf, std::FILE* file, const char* format, std::va_list arguments) {  \
    std::va_list kept;                                                                                \
    va_copy(kept, arguments);                                                                         \
    const int converted = next_##standard##vfscanf(file, format, arguments);                          \
    scanned(format, kept, converted, CALLER);                                                         \
    va_end(kept);                                                                                     \
    return converted;                                                                                 \
  }                                                                                                   \
  IN_FRONT_OF(int, standard##vscanf, const char* format, std::va_list arguments) {                    \
    std::va_list kept;                                                                                \
    va_copy(kept, arguments);                                                                         \
    const int converted = next_##standard##vfscanf(stdin, format, arguments);                         \
    scanned(format, kept, converted, CALLER);                                                         \
    va_end(kept);                                                                                     \
    return converted;                                                                                 \
  }                                                                                                   \
  IN_FRONT_OF(int, standard##vsscanf, const char* text, const char* format, std::va_list arguments) { \
    std::va_list kept;                                                                                \
    va_copy(kept, arguments);                                                                         \
    read_text(text, kNoLimit, CALLER);                                                                \
    const int converted = next_##standard##vsscanf(text, format, arguments);                          \
    scanned(format, kept, converted, CALLER);                                                         \
    va_end(kept);                                                                                     \
    return converted;                                                                                 \
  }                                                                                                   \
  IN_FRONT_OF(int, standard##scanf, const char* format, ...) { SCAN(next_##standard##vfscanf(stdin, format, arguments)) }   \
  IN_FRONT_OF(int, standard##fscanf, std::FILE* file, const char* format, ...) { SCAN(next_##standard##vfscanf(file, format, arguments)) } \
  IN_FRONT_OF(int, standard##sscanf, const char* text, const char* format, ...) {                     \
    read_text(text, kNoLimit, CALLER);                                                                \
    SCAN(next_##standard##vsscanf(text, format, arguments))                                           \
  }
SCANF()
SCANF(__isoc99_)
SCANF(__isoc23_)
