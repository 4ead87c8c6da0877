// The sentence of a run fits its settings and its numbers: what speaks of equal stages is not said of unequal ones.
#include "app/check/judge.h"
#include "tests/check/fixture.h"
#include "tests/support/catch.h"

using namespace p2plab;
using Knobs = std::map<std::string, std::string>;

namespace {

check::DemoManifest real(const std::string& id) { return check::load_demo(std::filesystem::path(P2PLAB_SOURCE_DIR) / "demos" / id); }

std::string said_of(const check::DemoManifest& demo, Knobs knobs) {
  check::RunRequest request;
  request.demo = demo.id;
  request.knobs = std::move(knobs);
  const check::Promise* promise = check::promise_for(demo, check::complete(demo, request), 8192);
  REQUIRE(promise != nullptr);
  return promise->says.en;
}

}  // namespace

TEST_CASE("a condition may name what a knob is not") {
  const auto request = check_fixture::toy_request({{"rounds", "4"}, {"variant", "fixed"}});
  CHECK(check::hold({{"rounds", "!3"}}, request));
  CHECK_FALSE(check::hold({{"rounds", "!4"}}, request));
  CHECK(check::hold({{"variant", "!broken"}}, request));
  CHECK_FALSE(check::hold({{"variant", "!fixed"}}, request));
}

TEST_CASE("of a slow or frozen stage the sentence gives the bubble beside that of equal stages, under every schedule and transport") {
  const auto demo = real("pipeline");
  for (const std::string schedule : {"1f1b", "gpipe", "naive", "eager-1f1b", "interleaved-1f1b", "zb-h1", "zb-h2", "zb-v"}) {
    const std::string equal = said_of(demo, {{"schedule", schedule}});
    for (const Knobs& unequal : {Knobs{{"slow_stage", "2"}}, Knobs{{"freeze_stage", "0"}}, Knobs{{"slow_stage", "1"}, {"freeze_stage", "3"}}}) {
      Knobs knobs = unequal;
      knobs["schedule"] = schedule;
      const std::string said = said_of(demo, knobs);
      INFO(schedule << ": " << said);
      CHECK(said != equal);
      CHECK(said.find("{bubble_ratio}") != std::string::npos);
      CHECK(said.find("{bubble_ideal_ratio}") != std::string::npos);
      CHECK(said.find("comes near") == std::string::npos);
    }
    // Slow by nothing, frozen for no time: the stages are equal.
    CHECK(said_of(demo, {{"schedule", schedule}, {"slow_stage", "2"}, {"slow_percent", "100"}, {"freeze_stage", "1"}, {"freeze_ms", "0"}}) == equal);
  }
  CHECK(said_of(demo, {{"transport", "bcast2"}, {"slow_stage", "2"}}).find("{bubble_ideal_ratio}") != std::string::npos);
}

TEST_CASE("what is said of the bubble under messages between neighbours is the run's own number beside that of free messages") {
  const auto demo = real("pipeline");
  for (const auto& promise : demo.promises) {
    if (promise.verdict != analysis::Verdict::pass || !promise.when.contains("schedule")) continue;
    if (promise.when.contains("transport") || promise.when.contains("communication")) continue;
    for (const std::string& said : {promise.says.en, promise.says.zh}) {
      INFO(said);
      CHECK(said.find("{bubble_ratio}") != std::string::npos);
      CHECK(said.find("{bubble_ideal_ratio}") != std::string::npos);
    }
  }
  for (const std::string schedule : {"1f1b", "gpipe", "naive", "eager-1f1b", "interleaved-1f1b", "zb-h1", "zb-h2", "zb-v"}) {
    INFO(schedule);
    CHECK(said_of(demo, {{"schedule", schedule}}).find("{bubble_ratio}") != std::string::npos);
  }
}

TEST_CASE("a step below nothing at the eager limit is not passed off as one") {
  const auto demo = real("latency-bandwidth");
  check::RunRequest request;
  request.demo = demo.id;
  request.backend = "host";
  request = check::complete(demo, request);
  const auto missed = [&](double step_ns) { return check::not_shown(demo.expectations, request, {{"n_half_bytes", 9000.0}, {"step_ns", step_ns}}); };
  const auto negative = missed(-52000);
  REQUIRE(negative);
  CHECK(negative->expected.otherwise.en.find("{step_ns}") != std::string::npos);
  CHECK(negative->expected.otherwise.zh.find("{step_ns}") != std::string::npos);
  CHECK_FALSE(check::breaks_promise(*negative, request));  // time on a real clock is advice
  CHECK_FALSE(missed(3000));
  CHECK_FALSE(missed(0));
  CHECK_FALSE(check::not_shown(demo.expectations, request, {{"n_half_bytes", 9000.0}, {"step_ns", nullptr}}));
}
