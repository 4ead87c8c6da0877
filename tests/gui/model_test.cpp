#include "app/gui/model/model.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::gui;

namespace {

check::DemoManifest demo(const std::string& id) {
  check::DemoManifest out;
  out.id = id;
  out.title = {"Title", "题目"};
  out.backends = {"host"};
  out.semantics = {"mpi", "nccl"};
  out.ranks = 2;
  out.min_ranks = 2;
  check::Knob variant;
  variant.id = "variant";
  variant.type = check::Knob::Type::choice;
  variant.choices = {"bad", "good"};
  variant.default_value = "bad";
  check::Knob bytes;
  bytes.id = "bytes";
  bytes.type = check::Knob::Type::bytes;
  bytes.minimum = 1;
  bytes.maximum = 1 << 20;
  bytes.default_value = "1024";
  out.knobs = {variant, bytes};
  out.regions = {{"bad", "bad"}, {"good", "good"}};
  return out;
}

Step step(std::map<std::string, std::string> set, const std::string& to = {}) {
  Step out;
  out.demo = to;
  out.set = std::move(set);
  out.say = {"say", "说"};
  return out;
}

Model model() {
  Walkthrough tour;
  tour.id = "tour";
  tour.steps = {step({{"bytes", "1"}}, "b"), step({{"variant", "good"}}), step({{"bytes", "4096"}})};
  tour.steps[1].strict = true;
  tour.steps[2].strict = false;
  tour.steps[1].tab = "code";
  return Model({demo("a"), demo("b")}, {tour});
}

}  // namespace

TEST_CASE("a demo starts with the defaults of its manifest") {
  const auto at = model();
  CHECK(at.demo()->id == "a");
  CHECK(at.knob("variant") == "bad");
  CHECK(at.conditions().ranks == 2);
  CHECK(at.request().demo == "a");
}

TEST_CASE("a knob takes a legal value and refuses another, keeping what it had") {
  auto at = model();
  at.set_knob("variant", "good");
  CHECK(at.knob("variant") == "good");
  CHECK(at.variant() == "good");
  CHECK_THROWS_AS(at.set_knob("variant", "worse"), Error);
  CHECK(at.knob("variant") == "good");
  CHECK_THROWS_AS(at.set_knob("bytes", "2000000"), Error);
  CHECK_THROWS_AS(at.set_knob("nothing", "1"), Error);
}

TEST_CASE("each demo keeps its own settings") {
  auto at = model();
  at.set_knob("variant", "good");
  REQUIRE(at.choose_demo("b"));
  CHECK(at.knob("variant") == "bad");
  at.choose_demo(std::size_t{0});
  CHECK(at.knob("variant") == "good");
  CHECK_FALSE(at.choose_demo("c"));
  CHECK(at.demo()->id == "a");
}

TEST_CASE("choosing a demo leads to the place of demos") {
  auto at = model();
  at.place = Place::labs;
  at.choose_demo("b");
  CHECK(at.place == Place::demos);
}

TEST_CASE("a walkthrough goes on and back, and a step is the same from either side") {
  auto at = model();
  CHECK(at.next() == nullptr);
  REQUIRE(at.start_walkthrough(0));
  CHECK(at.demo()->id == "b");
  CHECK(at.knob("bytes") == "1");
  REQUIRE(at.next());
  const auto forward = at.request();
  CHECK(at.knob("variant") == "good");
  CHECK(at.conditions().strict);
  CHECK(at.tab == Tab::code);
  REQUIRE(at.next());
  CHECK(at.knob("bytes") == "4096");
  CHECK_FALSE(at.conditions().strict);
  CHECK(at.next() == nullptr);
  CHECK(at.step_index() == 2);
  REQUIRE(at.back());
  CHECK(at.request().knobs == forward.knobs);
  CHECK(at.request().strict == forward.strict);
  REQUIRE(at.back());
  CHECK(at.back() == nullptr);
  at.leave_walkthrough();
  CHECK(at.step() == nullptr);
}

TEST_CASE("a lab without demos is an empty place, not a crash") {
  Model at({}, {});
  CHECK(at.demo() == nullptr);
  CHECK(at.variant().empty());
  CHECK_NOTHROW(at.set_knob("x", "1"));
}

TEST_CASE("the words of the walkthroughs name every tab") {
  for (const Tab tab : {Tab::numbers, Tab::wait_for, Tab::bytes, Tab::log, Tab::code, Tab::timeline}) CHECK(parse_tab(to_string(tab)) == tab);
  CHECK_FALSE(parse_tab("graph"));
}
