// What the numbers of a run must bear out before its sentence is said.
#include "app/check/expectations.h"

#include <set>

#include "app/check/judge.h"
#include "app/launch/installation.h"
#include "tests/check/fixture.h"
#include "tests/support/catch.h"

using namespace check_fixture;
using analysis::Verdict;
using json = nlohmann::ordered_json;

namespace {

/// The toy with expectations on its metric, or on the rows of its table.
check::DemoManifest expecting(const std::string& expect) {
  const DemoFolder folder(head() + knobs() + promises() + expect);
  return check::load_demo(folder.folder());
}

const std::string kAtMost = R"(
[[expect]]
value = "eager_limit_bytes"
at_most = 100
otherwise = { en = "too large: {value}", zh = "太大：{value}" }
)";

const std::string kRows = R"(
[[expect]]
rows = "table"
only = { kind = "a" }
value = "measured"
over = "simulated"
at_least = 0.9
at_most = 1.1
otherwise = { en = "{name}: {value}", zh = "{name}：{value}" }
)";

std::string refused(const std::string& expect) {
  try {
    expecting(expect);
  } catch (const Error& error) {
    return error.text().params.back().second;
  }
  return {};
}

/// {words} of a sentence.
std::set<std::string> blanks(const std::string& words) {
  std::set<std::string> out;
  for (std::size_t begin = words.find('{'); begin != std::string::npos; begin = words.find('{', begin + 1))
    out.insert(words.substr(begin + 1, words.find('}', begin) - begin - 1));
  return out;
}

}  // namespace

TEST_CASE("a run that ends well and whose numbers refute its sentence is not as promised") {
  const auto demo = expecting(kAtMost);
  const auto judged = [&](double limit, const char* variant = "fixed") {
    Traced run;
    run.metric(0, "eager_limit_bytes", limit);
    const launch::JobStatus job = well();
    return check::judge(demo, toy_request({{"variant", variant}}), {run.trace, job, {}, 0, 2, false, {}});
  };
  const auto within = judged(100), beyond = judged(150);
  CHECK(within.as_promised);
  CHECK_FALSE(within.not_shown.has_value());
  CHECK(beyond.verdict == Verdict::pass);  // the program is right; its numbers do not show what they were to show
  CHECK_FALSE(beyond.as_promised);
  REQUIRE(beyond.not_shown.has_value());
  CHECK(beyond.not_shown->value == 150);
  CHECK(check::to_json(toy_request(), demo, beyond)["not_shown"]["at_most"] == 100);
  CHECK_FALSE(check::to_json(toy_request(), demo, within).contains("not_shown"));
  // Of several runs one that did not show it is enough; which verdict was missed is a matter of its own.
  CHECK(check::over_runs({within, beyond, within}).not_shown.has_value());
  CHECK_FALSE(check::over_runs({within, beyond, within}).as_promised);
  CHECK_FALSE(judged(150, "broken").not_shown.has_value());
}

TEST_CASE("what a busy machine can spoil is said, and fails the run only where time is virtual") {
  const auto demo = expecting(kAtMost + "machine = true\n");
  const auto judged = [&](const char* backend) {
    Traced run;
    run.metric(0, "eager_limit_bytes", 150);
    const launch::JobStatus job = well();
    auto request = toy_request({{"variant", "fixed"}});
    request.backend = backend;
    return check::judge(demo, request, {run.trace, job, {}, 0, 2, false, {}});
  };
  CHECK(judged("host").as_promised);
  CHECK(judged("host").not_shown.has_value());
  CHECK_FALSE(judged("sim").as_promised);
  CHECK(judged("sim").not_shown.has_value());
}

TEST_CASE("of a table's rows the one that misses by most is named, and what was not measured refutes nothing") {
  const auto demo = expecting(kRows);
  const auto look = [&](const json& rows) { return check::not_shown(demo.expectations, toy_request(), json{{"table", rows}}); };
  const auto row = [](const char* name, const char* kind, double measured, const json& simulated) { return json{{"name", name}, {"kind", kind}, {"measured", measured}, {"simulated", simulated}}; };
  const auto worst = look(json::array({row("x", "a", 120, 100), row("y", "a", 150, 100), row("z", "b", 900, 100)}));
  REQUIRE(worst.has_value());
  CHECK(worst->row["name"] == "y");
  CHECK(worst->value == Approx(1.5));
  CHECK(look(json::array({row("x", "a", 50, 100)})).has_value());
  CHECK_FALSE(look(json::array({row("x", "a", 110, 100), row("y", "a", 90, 100)})).has_value());
  CHECK_FALSE(look(json::array({row("x", "a", 150, nullptr)})).has_value());
  CHECK_FALSE(check::not_shown(demo.expectations, toy_request(), json::object()).has_value());
  // A cell of several runs is its middle.
  CHECK_FALSE(look(json::array({row("x", "a", 100, {{"median", 100}, {"min", 10}, {"max", 900}, {"n", 3}})})).has_value());
}

TEST_CASE("a number that is to be there, and is not, was not shown") {
  const auto demo = expecting("[[expect]]\nvalue = \"n\"\notherwise = { en = \"none\", zh = \"没有\" }\n");
  CHECK(check::not_shown(demo.expectations, toy_request(), json{{"n", nullptr}}).has_value());
  CHECK(check::not_shown(demo.expectations, toy_request(), json::object()).has_value());
  CHECK(check::to_json(*check::not_shown(demo.expectations, toy_request(), json::object()))["value"].is_null());
  CHECK_FALSE(check::not_shown(demo.expectations, toy_request(), json{{"n", 0}}).has_value());
}

TEST_CASE("what is expected may depend on the link and on how is computed: a slow link is no busy machine") {
  const auto demo = expecting(kAtMost + "when = { link = \"raw\", compute = \"paced\" }\n");
  const auto missed = [&](const std::string& link, const std::string& compute) {
    auto request = toy_request();
    request.link = link;
    request.compute = compute;
    return check::not_shown(demo.expectations, request, json{{"eager_limit_bytes", 150}}).has_value();
  };
  CHECK(missed("raw", "paced"));
  CHECK_FALSE(missed("slow-motion", "paced"));
  CHECK_FALSE(missed("raw", "real"));
  CHECK_FALSE(refused(kAtMost + "when = { compute = \"quick\" }\n").empty());
}

TEST_CASE("a promise that counts only where a number is 0 gives way to the next one elsewhere") {
  auto demo = toy();
  demo.promises.insert(demo.promises.begin(), check::Promise{{}, Verdict::pass, {"nothing to see", "没什么可看"}, "eager_limit_bytes"});
  const auto said = [&](const json& metrics) { return check::promise_for(demo, toy_request({{"variant", "fixed"}}), std::nullopt, metrics)->says.en; };
  CHECK(said({{"eager_limit_bytes", 0}}) == "nothing to see");
  CHECK(said({{"eager_limit_bytes", 1}}) == "always passes");
  CHECK(said(json::object()) == "always passes");
}

TEST_CASE("an expectation of rows without a bound, or with a key that nobody knows, is refused") {
  CHECK_FALSE(refused("[[expect]]\nrows = \"t\"\nvalue = \"x\"\notherwise = { en = \"a\", zh = \"b\" }\n").empty());
  CHECK_FALSE(refused(kAtMost + "below = 3\n").empty());
  CHECK_FALSE(refused("[[promise]]\nverdict = \"pass\"\nonly_if_zero = \"no_such\"\nsays = { en = \"a\", zh = \"b\" }\n").empty());
  CHECK(refused(kAtMost).empty());
}

TEST_CASE("every number that a demo's sentence names is one of its metrics, and both languages name the same") {
  for (const auto& demo : check::load_demos(launch::Installation::find().demos())) {
    std::set<std::string> known(demo.metrics.begin(), demo.metrics.end());
    for (const auto& one : demo.results.derived) known.insert(one.metric);
    const auto check_words = [&](const content::Twin& words, bool of_row) {
      INFO(demo.id << ": " << words.en);
      CHECK(blanks(words.en) == blanks(words.zh));
      for (const std::string& blank : blanks(words.en)) {
        INFO(blank);
        CHECK((known.contains(blank) || of_row));
      }
    };
    for (const auto& promise : demo.promises) check_words(promise.says, false);
    for (const auto& expected : demo.expectations) check_words(expected.otherwise, true);
    for (const auto& number : demo.results.numbers) check_words(number.beside, false);
  }
}
