// Characters as the atlas wants them, and where fonts are looked for.
#include "app/gui/fonts.h"

#include <cstdlib>

#include "app/check/doctor.h"
#include "app/check/font_files.h"
#include "tests/gui/temporary.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::gui;

namespace {

/// P2PLAB_FONT_DIRS for the time of a test.
struct FontDirs {
  explicit FontDirs(const std::string& value) { ::setenv("P2PLAB_FONT_DIRS", value.c_str(), 1); }
  ~FontDirs() { ::unsetenv("P2PLAB_FONT_DIRS"); }
};

check::Diagnosis doctor_of_fonts() {
  for (const auto& each : check::diagnose(launch::Installation::find()))
    if (each.id == "fonts") return each;
  FAIL("the doctor has no line on fonts");
  return {};
}

}  // namespace

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

TEST_CASE("window and doctor look for fonts in the same folders, in their order, and the first Chinese font counts") {
  Temporary empty, full;
  const auto cjk = full.write("NotoSansCJK-Regular.ttc", "x");
  const FontDirs dirs(empty.path.string() + ":" + full.path.string());
  CHECK(check::chinese_font() == cjk);
  for (const bool monospaced : {false, true}) {
    const auto all = check::font_files(monospaced);
    REQUIRE(all.size() == 4);
    CHECK(all[1].path == cjk);
    CHECK(all[1].chinese);
    CHECK_FALSE(all[2].chinese);
  }
  const auto said = doctor_of_fonts();
  CHECK(said.status == check::Diagnosis::Status::ok);
  CHECK(said.finding.params.at(0).second == cjk.string());
}

TEST_CASE("where there is no Chinese font the doctor names the package, and an empty setting is none") {
  Temporary empty;
  {
    const FontDirs dirs(empty.path.string());
    CHECK_FALSE(check::chinese_font());
    const auto said = doctor_of_fonts();
    CHECK(said.status == check::Diagnosis::Status::absent);
    CHECK(said.remedy.value_or("").find("fonts-noto-cjk") != std::string::npos);
  }
  const auto usual = check::font_files(false);
  const FontDirs dirs("");
  CHECK(check::font_files(false).front().path == usual.front().path);
}
