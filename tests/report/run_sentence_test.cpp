// What a run is said to have shown, with its own numbers in it.
#include "app/report/run_sentence.h"

#include "app/launch/installation.h"
#include "app/report/run_summary.h"
#include "tests/report/support.h"
#include "tests/support/catch.h"

using namespace p2plab;
using json = nlohmann::ordered_json;

namespace {

check::DemoManifest schedules() { return check::load_demo(launch::Installation::find().demos() / "schedules"); }

/// A run of all schedules of which one took `times` its simulated time.
check::RunResult ran(const check::DemoManifest& demo, double times) {
  check::RunRequest request;
  request.demo = "schedules";
  check::RunResult result;
  result.verdict = analysis::Verdict::pass;
  result.promised = analysis::Verdict::pass;
  result.says = {"It took {latency_ns}, {nobody}.", "用了 {latency_ns}，{nobody}。"};
  result.metrics = {{"latency_ns", {{"median", 4000000}, {"min", 1}, {"max", 9000000}, {"n", 3}}},
                    {"table", json::array({{{"schedule", "zb-v"}, {"latency", "on"}, {"step_ns", 100e6 * times}, {"expected_ns", 100e6}}})}};
  result.not_shown = check::not_shown(demo.expectations, request, result.metrics);
  result.as_promised = !result.not_shown;
  return result;
}

}  // namespace

TEST_CASE("a sentence has the run's numbers in it, of several runs the middle, and a dash where there is none") {
  const auto demo = schedules();
  CHECK(report::run_sentence(demo, ran(demo, 1), tests::text()) == "It took 4.000 ms, –.");
  CHECK(report::run_sentence(demo, ran(demo, 1), tests::text(content::Language::zh)) == "用了 4.000 ms，–。");
  CHECK(report::with_numbers("no blank", json::object()) == "no blank");
  CHECK(report::with_numbers("{a", json{{"a", 1}}) == "{a");
}

TEST_CASE("what stands beside a number leaves out the clauses whose numbers this run did not measure") {
  const json metrics = {{"message_count", 3}, {"push_count", 4}};
  CHECK(report::known_clauses("first {nobody}; then {message_count}; last {push_count}", metrics) == "then 3; last 4");
  CHECK(report::known_clauses("先 {message_count}；再 {nobody}；后 {push_count}", metrics) == "先 3；后 4");
  CHECK(report::known_clauses("only {nobody}", metrics).empty());
  CHECK(report::known_clauses("no blank, 10–20 %", metrics) == "no blank, 10–20 %");
}

TEST_CASE("a step far from the simulator's is said to be that, and the sentence that it refutes is not said") {
  const auto demo = schedules();
  for (const auto language : {content::Language::en, content::Language::zh}) {
    const auto busy = report::run_sentence(demo, ran(demo, 2.77), tests::text(language));
    INFO(busy);
    CHECK(busy.find("2.77 ×") != std::string::npos);
    CHECK(busy.find("zb-v") != std::string::npos);
    CHECK(busy.find("sim") != std::string::npos);
    CHECK(busy.find("4.000 ms") == std::string::npos);
    CHECK(busy.find('{') == std::string::npos);
    check::RunRequest request;
    request.demo = "schedules";
    request.ranks = 4;
    const auto summary = report::summarize(demo, request, ran(demo, 2.77), trace::Trace(), tests::text(language));
    CHECK(summary.says == busy);
    CHECK(summary.sign == "!");
    CHECK(summary.promised == tests::text(language)("summary.not_shown"));
  }
}
