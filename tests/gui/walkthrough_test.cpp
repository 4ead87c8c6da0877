#include "app/gui/model/walkthrough.h"
#include "app/check/demo_run.h"
#include "tests/gui/temporary.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::gui;

namespace {

const std::string kHead = "title = { en = \"T\", zh = \"题\" }\nminutes = 5\norder = 2\n";
const std::string kSay = "say = { en = \"a\", zh = \"甲\" }\n";

std::string what_is_wrong(const std::string& text) {
  Temporary folder;
  try {
    load_walkthrough(folder.write("t.toml", text));
  } catch (const Error& error) {
    CHECK(error.text().id == "manifest.broken");
    for (const auto& [name, value] : error.text().params)
      if (name == "what") return value;
  }
  return {};
}

}  // namespace

TEST_CASE("a walkthrough is read with all that a step can say") {
  Temporary folder;
  const auto tour = load_walkthrough(folder.write("t.toml", kHead + "[[step]]\ndemo = \"d\"\nset = { bytes = \"1M\", n = 3 }\nrun = true\nstrict = true\nranks = 3\nsemantics = \"nccl\"\nbackend = \"sim\"\nzoom = { rank = 1, span = \"F3\" }\ntab = \"wait-for\"\ndiff = true\n" + kSay));
  CHECK(tour.id == "t");
  CHECK(tour.minutes == 5);
  REQUIRE(tour.steps.size() == 1);
  const auto& step = tour.steps[0];
  CHECK(step.set.at("bytes") == "1M");
  CHECK(step.set.at("n") == "3");
  CHECK(step.strict == true);
  CHECK(step.backend == "sim");
  CHECK(step.ranks == 3);
  REQUIRE(step.zoom);
  CHECK(std::get<ZoomSpan>(*step.zoom).span == "F3");
}

TEST_CASE("what is wrong with a walkthrough is said") {
  CHECK(what_is_wrong(kHead) == "no [[step]]");
  CHECK(what_is_wrong(kHead + "[[step]]\n" + kSay) == "the first step names no demo");
  CHECK(what_is_wrong(kHead + "[[step]]\ndemo = \"d\"\nsay = { en = \"a\" }\n") == "\"zh\" is missing");
  CHECK(what_is_wrong(kHead + "[[step]]\ndemo = \"d\"\nzooom = \"fit\"\n" + kSay) == "unknown key \"zooom\", meant \"zoom\"?");
  CHECK(what_is_wrong(kHead + "[[step]]\ndemo = \"d\"\ntab = \"graph\"\n" + kSay) == "unknown tab \"graph\"");
  CHECK_FALSE(what_is_wrong("title = ").empty());
}

TEST_CASE("walkthroughs come in their order, and a folder that is not there holds none") {
  Temporary folder;
  const std::string step = "[[step]]\ndemo = \"d\"\n" + kSay;
  folder.write("a.toml", kHead + step);
  folder.write("b.toml", "title = { en = \"T\", zh = \"题\" }\norder = 1\n" + step);
  const auto all = load_walkthroughs(folder.path);
  REQUIRE(all.size() == 2);
  CHECK(all[0].id == "b");
  CHECK(load_walkthroughs(folder.path / "none").empty());
}

TEST_CASE("every step of the walkthroughs that ship names a demo, knobs and values that exist") {
  const auto tours = load_walkthroughs(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/walkthroughs");
  const auto demos = check::load_demos(std::filesystem::path(P2PLAB_SOURCE_DIR) / "demos");
  REQUIRE_FALSE(tours.empty());
  for (const auto& tour : tours) {
    const check::DemoManifest* demo = nullptr;
    check::RunRequest request;
    for (const auto& step : tour.steps) {
      INFO(tour.id << ": " << step.say.en);
      if (!step.demo.empty()) {
        request = {};
        for (const auto& each : demos)
          if (each.id == step.demo) demo = &each;
        REQUIRE(demo);
        REQUIRE(demo->id == step.demo);
        request.demo = demo->id;
      }
      for (const auto& [id, value] : step.set) request.knobs[id] = value;
      if (!step.semantics.empty()) request.semantics = step.semantics;
      if (step.ranks) request.ranks = *step.ranks;
      CHECK_NOTHROW(check::complete(*demo, request));
    }
  }
}
