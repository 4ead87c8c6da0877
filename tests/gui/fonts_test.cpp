// Characters as the atlas wants them.
#include "app/gui/fonts.h"
#include "tests/support/catch.h"

using namespace p2plab::gui;

TEST_CASE("characters of a UTF-8 text are found, control characters left out") {
  Characters found;
  add_characters(found, "aé死\n😀");
  CHECK(found == Characters{U'a', U'é', U'死', U'😀'});
}

TEST_CASE("malformed bytes add nothing and lose nothing after them") {
  Characters found;
  add_characters(found, std::string_view("a\xff\xe6\xad" "b\xc0\x80" "c\xe6", 8));
  CHECK(found.contains(U'a'));
  CHECK(found.contains(U'b'));
  CHECK(found.contains(U'c'));
  CHECK(found.size() == 3);
}

TEST_CASE("text that the atlas has not needs more") {
  const auto basic = basic_characters();
  CHECK_FALSE(needs_more(basic, "rank 0 → 1, α + n/β ≥ µs"));
  CHECK(needs_more(basic, "死锁"));
}
