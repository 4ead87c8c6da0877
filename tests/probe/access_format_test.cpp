// What formats of printf and scanf say about the arguments behind them.
#include <string>

#include "demos/probe/access/format.h"
#include "tests/support/catch.h"

using namespace p2plab::probe::access;

namespace {

constexpr std::size_t kNoLimit = ~std::size_t{0};
using Arguments = std::vector<FormatArgument>;

Arguments printed(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  Arguments found = printf_arguments(format, arguments);
  va_end(arguments);
  return found;
}

Arguments scanned(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  Arguments found = scanf_arguments(format, arguments);
  va_end(arguments);
  return found;
}

char text[8], other[8];

}  // namespace

TEST_CASE("strings of printf are found behind arguments of every type") {
  const auto found = printed("%d %5.2f %-*s %Lf %c %lld %zu %p %% %.3s %hhx|%.*s", 1, 2.0, 9, text, 3.0L, 'c', 4LL,
                             sizeof text, static_cast<void*>(other), other, 5, 2, text);
  REQUIRE(found.size() == 3);
  CHECK(found[0].pointer == text);
  CHECK(found[0].limit == kNoLimit);
  CHECK(found[1].pointer == other);
  CHECK(found[1].limit == 3);
  CHECK(found[2].pointer == text);
  CHECK(found[2].limit == 2);
}

TEST_CASE("printf's %n is a write as long as its length says") {
  short count = 0;
  const auto found = printed("%+i%hn", 1, &count);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == FormatArgument::number);
  CHECK(found[0].pointer == &count);
  CHECK(found[0].limit == sizeof count);
}

TEST_CASE("printf's null strings, wide strings and unknown conversions are nobody's buffers") {
  CHECK(printed("%s", static_cast<char*>(nullptr)).empty());
  CHECK(printed("%ls", text).empty());
  CHECK(printed("%2$s %1$d", 1, text).empty());
  CHECK(printed("%y %s", 1, text).empty());
  CHECK(printed("100%").empty());
}

TEST_CASE("scanf writes what its conversions say, once it has come so far") {
  int i = 0;
  long l = 0;
  double d = 0;
  const auto found = scanned("%d,%*d %ld %n %lf %7s %3c %[^]x-z] %m[a]", &i, &l, &i, &d, text, other, text, &l);
  REQUIRE(found.size() == 8);
  const std::size_t sizes[] = {4, 8, 4, 8, kNoLimit, 3, kNoLimit, 8};
  const std::size_t converted[] = {1, 2, 2, 3, 4, 5, 6, 7};
  const void* pointers[] = {&i, &l, &i, &d, text, other, text, &l};
  for (std::size_t k = 0; k < found.size(); ++k) {
    INFO(k);
    CHECK(found[k].limit == sizes[k]);
    CHECK(found[k].converted == converted[k]);
    CHECK(found[k].pointer == pointers[k]);
    CHECK(found[k].kind == (sizes[k] == kNoLimit ? FormatArgument::text : FormatArgument::number));
  }
}
