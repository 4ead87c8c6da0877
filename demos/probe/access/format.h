// What a format of printf or scanf makes the C library read and write through its arguments.
#pragma once
#include <cstdarg>
#include <cstddef>
#include <vector>

namespace p2plab::probe::access {

struct FormatArgument {
  enum Kind {
    text,    ///< a string: `limit` bytes at most
    number,  ///< `limit` bytes are written
  } kind;
  void* pointer;
  std::size_t limit;
  std::size_t converted;  ///< of scanf: its return value from which on this argument has been written
};

/// The pointers among the arguments of printf: strings that are read, and what %n writes. Stops at what it does not
/// know (numbered arguments, a program's own conversions).
std::vector<FormatArgument> printf_arguments(const char* format, std::va_list arguments);
/// The pointers among the arguments of scanf; all are written.
std::vector<FormatArgument> scanf_arguments(const char* format, std::va_list arguments);

}  // namespace p2plab::probe::access
