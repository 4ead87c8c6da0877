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
