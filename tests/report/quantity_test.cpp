// Times, sizes, ticks, and the columns text takes.
#include "app/report/quantity.h"

#include "app/report/palette.h"
#include "app/report/utf8.h"
#include "tests/support/catch.h"

using namespace p2plab;

TEST_CASE("times are shown in the unit of their size") {
  CHECK(report::duration(0) == "0 ns");
  CHECK(report::duration(640) == "640 ns");
  CHECK(report::duration(41'250) == "41.250 µs");
  CHECK(report::duration(1'804'000) == "1.804 ms");
  CHECK(report::duration(-2'500'000'000) == "-2.500 s");
}

TEST_CASE("sizes are shown in powers of 1024") {
  CHECK(report::bytes(0) == "0 B");
  CHECK(report::bytes(1023) == "1023 B");
  CHECK(report::bytes(65536) == "64 KiB");
  CHECK(report::bytes(1536) == "1.5 KiB");
  CHECK(report::bytes(std::uint64_t{3} << 30) == "3 GiB");
}

TEST_CASE("ticks step by 1, 2 or 5, far enough apart, in one unit") {
  const trace::Ns end = GENERATE(as<trace::Ns>{}, 70, 130, 2'500, 999'999, 132'000'000, 7'200'000'000'000);
  const auto ticks = report::ticks(0, end, 900, 70);
  REQUIRE(ticks.size() >= 2);
  const trace::Ns step = ticks[1].at - ticks[0].at;
  trace::Ns lead = step;
  while (lead % 10 == 0) lead /= 10;
  CHECK((lead == 1 || lead == 2 || lead == 5));
  CHECK(static_cast<double>(step) * 900 / static_cast<double>(end) >= 70);
  const auto unit = [](const std::string& label) { return label.substr(label.find(' ')); };
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    CHECK(unit(ticks[i].label) == unit(ticks[0].label));
    CHECK(ticks[i].label != ticks[i - 1].label);
  }
}

TEST_CASE("ticks of a window deep inside a long run still tell their places apart") {
  const auto ticks = report::ticks(3'600'000'000'000, 3'600'000'000'900, 900, 70);
  REQUIRE(ticks.size() > 3);
  for (std::size_t i = 1; i < ticks.size(); ++i) CHECK(ticks[i].label != ticks[i - 1].label);
}

TEST_CASE("an axis without extent has no ticks") {
  CHECK(report::ticks(5, 5, 100).empty());
  CHECK(report::ticks(0, 10, 0).empty());
}

TEST_CASE("text for XML is escaped, and what XML cannot hold is replaced") {
  CHECK(report::xml_text("a<b>&\"c\"") == "a&lt;b&gt;&amp;&quot;c&quot;");
  CHECK(report::xml_text("等待") == "等待");
  CHECK(report::xml_text(std::string("a\x01", 2) + "\xff" + "\xed\xa0\x80") == "a\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD");
}

TEST_CASE("Chinese takes two columns a character") {
  CHECK(report::columns("rank 0") == 6);
  CHECK(report::columns("等待 F3") == 7);
}

TEST_CASE("every kind has the colour of the table in both themes") {
  using trace::Kind;
  for (const auto theme : {report::Theme::dark, report::Theme::light}) {
    const auto& p = report::palette(theme);
    CHECK(report::colour(p, Kind::forward) == p.forward);
    CHECK(report::colour(p, Kind::backward) == p.backward);
    CHECK(report::colour(p, Kind::send) != report::colour(p, Kind::receive));
    CHECK(report::colour(p, Kind::wait) == p.muted);
  }
  CHECK(report::palette(report::Theme::dark).forward == 0x4E9BE6U);
  CHECK(report::mix(0x000000, 0xFFFFFF, 0.5) == 0x808080U);
}
