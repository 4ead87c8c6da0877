#include "app/gui/model/source.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::gui;

namespace {

const Source kSource{"demos/x/x.cpp", {"int main() {", "  // [a]", "  one();", "    two();", "  // [end]", "  // [b]", "  three();", "  // [end]", "}"}};

}  // namespace

TEST_CASE("a region lies between its mark and the end mark") {
  const auto region = find_region(kSource, "a");
  CHECK(region.begin == 2);
  CHECK(region.end == 4);
  CHECK(find_region(kSource, "b").begin == 6);
}

TEST_CASE("without a mark the region is the whole file") {
  const auto region = find_region(kSource, "missing");
  CHECK(region.begin == 0);
  CHECK(region.end == 9);
  CHECK(find_region(kSource, "").end == 9);
}

TEST_CASE("a region that is shorter than the pane is shown with the lines around it, a longer one as it is") {
  const auto region = find_region(kSource, "a");  // lines 2 and 3 of nine
  const auto shown = [&](int lines) { return std::pair{with_context(kSource, region, lines).begin, with_context(kSource, region, lines).end}; };
  CHECK(shown(1) == std::pair{2, 4});
  CHECK(shown(4) == std::pair{1, 5});
  CHECK(shown(7) == std::pair{0, 7});   // the start of the file gives its share to the other side
  CHECK(shown(50) == std::pair{0, 9});
  const auto b = find_region(kSource, "b");  // line 6
  CHECK(with_context(kSource, b, 7).begin == 2);
  CHECK(with_context(kSource, b, 7).end == 9);
}

TEST_CASE("a region is shown without the indentation that its lines share") {
  CHECK(region_text(kSource, find_region(kSource, "a")) == std::vector<std::string>{"one();", "  two();"});
}

TEST_CASE("the variant is the chosen value for which there is a region") {
  check::DemoManifest demo;
  check::Knob schedule, how;
  schedule.id = "schedule";
  how.id = "communication";
  schedule.type = how.type = check::Knob::Type::choice;
  schedule.default_value = "1f1b";
  how.default_value = "overlapped";
  demo.knobs = {schedule, how};
  demo.regions = {{"overlapped", "o"}, {"blocking", "b"}};
  CHECK(variant_of(demo, {}) == "overlapped");
  CHECK(variant_of(demo, {{"communication", "blocking"}}) == "blocking");
  CHECK(variant_of(demo, {{"communication", "other"}}).empty());
}

TEST_CASE("a site belongs to the file of the same name in the same folder") {
  CHECK(same_file("/opt/share/demos/x/x.cpp", "demos/x/x.cpp"));
  CHECK(same_file("/opt/share/demos/x/x.cpp", "x.cpp"));
  CHECK_FALSE(same_file("/opt/share/demos/x/x.cpp", "demos/y/x.cpp"));
  CHECK_FALSE(same_file("/opt/share/demos/x/x.cpp", "demos/x/y.cpp"));
  CHECK_FALSE(same_file("/opt/share/demos/x/x.cpp", ""));
}
