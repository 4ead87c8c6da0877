#include "app/gui/model/model.h"

#include <algorithm>

#include "app/content/live_block.h"
#include "app/gui/model/backends.h"
#include "app/gui/model/command.h"
#include "app/launch/installation.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::gui;

namespace {

check::DemoManifest demo(const std::string& id) {
  check::DemoManifest out;
  out.id = id;
  out.title = {"Title", "题目"};
  out.backends = {"host", "sim"};
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

TEST_CASE("a backend brings what it alone decides, and leaving it takes that back") {
  auto at = model();
  at.set_backend("nccl");
  CHECK(at.request().backend == "nccl");
  CHECK(at.request().semantics == "nccl");
  at.set_backend("sim");
  CHECK(at.request().semantics == "mpi");
  at.conditions().ranks = 200;  // a virtual clock has any number
  at.set_backend("host");
  CHECK(at.conditions().ranks == at.demo()->max_ranks);
  at.reset_demo();
  CHECK(at.request().backend == "host");
}

TEST_CASE("every backend of every demo is offered or says why it cannot be had") {
  const auto installation = launch::Installation::find();
  Backends backends(installation);
  const content::Text texts(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/text", content::Language::zh);
  for (const auto& demo : check::load_demos(installation.demos())) {
    backends.of(demo, demo.ranks);
    backends.wait();
    const auto all = backends.of(demo, demo.ranks);
    REQUIRE(all.size() == 4);
    for (const auto& each : all) {
      INFO(demo.id << " " << each.name);
      const bool named = std::find(demo.backends.begin(), demo.backends.end(), each.name) != demo.backends.end();
      CHECK_FALSE(each.asking);
      if (!named) CHECK(each.why_not->id == "gui.backend_not_of_demo");
      if (each.name == "sim" && named) CHECK(each.usable());
      if (each.why_not) CHECK(texts(*each.why_not).find('{') == std::string::npos);
    }
  }
}

TEST_CASE("the command of a run repeats it: what it asks for comes back with its words") {
  for (const auto& demo : check::load_demos(launch::Installation::find().demos()))
    for (const auto& backend : demo.backends) {
      check::RunRequest asked;
      asked.demo = demo.id;
      asked.backend = backend;
      asked.ranks = demo.min_ranks;
      asked.seed = 7;
      asked.strict = true;
      for (const auto& knob : demo.knobs)
        if (knob.type == check::Knob::Type::choice) asked.knobs[knob.id] = knob.choices.back();
      check::RunRequest whole;
      try {
        whole = check::complete(demo, asked);
      } catch (const Error&) {
        continue;  // a combination that the demo refuses
      }
      auto words = content::command_words(command_of(demo, whole));
      REQUIRE(words.front() == "p2plab");
      words.erase(words.begin());
      const auto again = check::complete(demo, request_of(words));
      INFO(command_of(demo, whole));
      CHECK(again.backend == whole.backend);
      CHECK(again.knobs == whole.knobs);
      CHECK(again.ranks == whole.ranks);
      CHECK(again.seed == whole.seed);
      CHECK(again.strict == whole.strict);
      CHECK(again.link == whole.link);
      CHECK(again.semantics == whole.semantics);
    }
}

TEST_CASE("what a lesson or a claim runs is set up on the backend it runs on") {
  CHECK(request_of({"run", "deadlock"}).backend == "host");
  CHECK(request_of({"run", "deadlock"}, "sim").backend == "sim");
  CHECK(request_of({"run", "deadlock", "--backend", "cuda"}, "sim").backend == "cuda");
  auto at = model();
  check::RunRequest request = request_of({"run", "b", "--set", "bytes=64"}, "sim");
  CHECK(at.adopt(request));
  CHECK(at.request().demo == "b");
  CHECK(at.request().backend == "sim");
  CHECK(at.request().knobs.at("bytes") == "64");
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
