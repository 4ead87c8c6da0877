#include "app/gui/model/diff.h"
#include "tests/support/catch.h"

using namespace p2plab::gui;
using Change = DiffLine::Change;

TEST_CASE("equal texts have no change") {
  const auto script = diff({"a", "b"}, {"a", "b"});
  REQUIRE(script.size() == 2);
  CHECK(script[0] == DiffLine{Change::same, 0, 0});
  CHECK(script[1] == DiffLine{Change::same, 1, 1});
}

TEST_CASE("a swap of two lines is one removal and one addition") {
  const auto script = diff({"send", "recv"}, {"recv", "send"});
  REQUIRE(script.size() == 3);
  int same = 0;
  for (const auto& line : script) same += line.change == Change::same;
  CHECK(same == 1);
}

TEST_CASE("a removal stands before the addition that replaces it") {
  const auto script = diff({"head", "old", "tail"}, {"head", "new", "tail"});
  REQUIRE(script.size() == 4);
  CHECK(script[1] == DiffLine{Change::removed, 1, -1});
  CHECK(script[2] == DiffLine{Change::added, -1, 1});
}

TEST_CASE("applying the script to the first text gives the second") {
  const std::vector<std::string> a{"1", "2", "3", "4", "5"}, b{"0", "2", "5", "4", "6", "6"};
  std::vector<std::string> out;
  for (const auto& line : diff(a, b))
    if (line.change != Change::removed) out.push_back(line.after >= 0 ? b[static_cast<std::size_t>(line.after)] : "?");
  CHECK(out == b);
}

TEST_CASE("an empty side is all additions or all removals") {
  CHECK(diff({}, {"x", "y"}).size() == 2);
  CHECK(diff({"x"}, {}).front().change == Change::removed);
}
