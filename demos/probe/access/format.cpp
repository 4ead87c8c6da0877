// What a format of printf or scanf makes the C library read and write through its arguments (C17 7.21.6).
#include "demos/probe/access/format.h"

#include <cstdint>
#include <cwchar>
#include <optional>

namespace p2plab::probe::access {
namespace {

constexpr std::size_t kNoLimit = ~std::size_t{0};

bool is_one_of(char c, const char* set) {
  for (; *set != '\0'; ++set) {
    if (c == *set) return true;
  }
  return false;
}

/// What stands between % and the conversion's letter.
struct Specification {
  bool star = false, allocates = false;
  std::optional<std::size_t> width, precision;
  std::size_t integer = sizeof(int);  ///< bytes, by the length modifier
  bool is_long = false, is_long_double = false;
  char conversion = '\0';
};

class Reader {
 public:
  explicit Reader(const char* format) : at_(format) {}

  /// Skips to the next conversion; false at the end.
  bool next() {
    while (*at_ != '\0' && *at_ != '%') ++at_;
    if (*at_ == '\0') return false;
    ++at_;
    return true;
  }
  bool take(char c) {
    if (*at_ != c) return false;
    ++at_;
    return true;
  }
  void skip(const char* set) {
    while (*at_ != '\0' && is_one_of(*at_, set)) ++at_;
  }
  std::optional<std::size_t> number() {
    if (*at_ < '0' || *at_ > '9') return std::nullopt;
    std::size_t value = 0;
    for (; *at_ >= '0' && *at_ <= '9'; ++at_) value = value * 10 + static_cast<std::size_t>(*at_ - '0');
    return value;
  }
  void length(Specification& specification) {
    if (take('h')) {
      specification.integer = take('h') ? 1 : sizeof(short);
    } else if (take('l')) {
      specification.is_long = !take('l');
      specification.integer = sizeof(long);  // and of long long
    } else if (take('L')) {
      specification.is_long_double = true;
      specification.integer = sizeof(long long);
    } else if (is_one_of(*at_, "qjzZt") && *at_ != '\0') {
      ++at_;
      specification.integer = sizeof(std::intmax_t);
    }
  }
  char letter() { return *at_ == '\0' ? '\0' : *at_++; }
  /// Behind the [ of a set of characters: to its end.
  void set() {
    take('^');
    take(']');
    while (*at_ != '\0' && *at_ != ']') ++at_;
    take(']');
  }

 private:
  const char* at_;
};

static_assert(sizeof(long) == sizeof(long long) && sizeof(long) == sizeof(std::intmax_t));

}  // namespace

std::vector<FormatArgument> printf_arguments(const char* format, std::va_list arguments) {
  std::vector<FormatArgument> found;
  Reader reader(format);
  while (reader.next()) {
    Specification spec;
    reader.skip("-+ #0'I");
    if (reader.take('*'))
      static_cast<void>(va_arg(arguments, int));
    else
      static_cast<void>(reader.number());
    if (reader.take('.')) {
      if (reader.take('*')) {
        const int precision = va_arg(arguments, int);
        if (precision >= 0) spec.precision = static_cast<std::size_t>(precision);
      } else {
        spec.precision = reader.number().value_or(0);
      }
    }
    reader.length(spec);
    const char conversion = reader.letter();
    switch (conversion) {
      case '%':
      case 'm':
        break;
      case 'd':
      case 'i':
      case 'o':
      case 'u':
      case 'x':
      case 'X':
      case 'b':
      case 'B':
        if (spec.integer == sizeof(long))
          static_cast<void>(va_arg(arguments, long));
        else
          static_cast<void>(va_arg(arguments, int));
        break;
      case 'c':
      case 'C':
        static_cast<void>(va_arg(arguments, std::wint_t));
        break;
      case 'a':
      case 'e':
      case 'f':
      case 'g':
      case 'A':
      case 'E':
      case 'F':
      case 'G':
        if (spec.is_long_double)
          static_cast<void>(va_arg(arguments, long double));
        else
          static_cast<void>(va_arg(arguments, double));
        break;
      case 's': {
        void* const text = va_arg(arguments, void*);
        if (!spec.is_long && text != nullptr)
          found.push_back({FormatArgument::text, text, spec.precision.value_or(kNoLimit), 0});
        break;
      }
      case 'S':
      case 'p':
        static_cast<void>(va_arg(arguments, void*));
        break;
      case 'n':
        found.push_back({FormatArgument::number, va_arg(arguments, void*), spec.integer, 0});
        break;
      default:
        return found;
    }
  }
  return found;
}

std::vector<FormatArgument> scanf_arguments(const char* format, std::va_list arguments) {
  std::vector<FormatArgument> found;
  Reader reader(format);
  std::size_t converted = 0;
  while (reader.next()) {
    if (reader.take('%')) continue;
    Specification spec;
    spec.star = reader.take('*');
    spec.width = reader.number();
    spec.allocates = reader.take('m');
    reader.length(spec);
    const char conversion = reader.letter();
    if (conversion == '[') reader.set();
    FormatArgument argument{FormatArgument::number, nullptr, 0, converted + (conversion == 'n' ? 0 : 1)};
    switch (conversion) {
      case 'd':
      case 'i':
      case 'o':
      case 'u':
      case 'x':
      case 'X':
      case 'n':
        argument.limit = spec.integer;
        break;
      case 'a':
      case 'e':
      case 'f':
      case 'g':
      case 'A':
      case 'E':
      case 'F':
      case 'G':
        argument.limit = spec.is_long_double ? sizeof(long double) : spec.is_long ? sizeof(double) : sizeof(float);
        break;
      case 'p':
        argument.limit = sizeof(void*);
        break;
      case 'c':
        argument.limit = spec.width.value_or(1) * (spec.is_long ? sizeof(wchar_t) : 1);
        break;
      case 's':
      case '[':
        if (!spec.is_long) {
          argument.kind = FormatArgument::text;
          argument.limit = kNoLimit;
        } else {
          argument.limit = sizeof(wchar_t);
        }
        break;
      default:
        return found;
    }
    if (spec.star) continue;
    if (spec.allocates) {
      argument.kind = FormatArgument::number;
      argument.limit = sizeof(char*);
    }
    argument.pointer = va_arg(arguments, void*);
    converted = argument.converted;
    found.push_back(argument);
  }
  return found;
}

}  // namespace p2plab::probe::access
