// Every claim comes out as its file declares, and its counter-setting on the other side. On the virtual clock, so exactly.
#include "app/check/claim_run.h"

#include <cstdlib>

#include "tests/support/catch.h"

using namespace p2plab;
using content::Claim;
using content::ClaimOutcome;

namespace {

const content::Claims& claims() {
  static const content::Claims all(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/claims");
  return all;
}

/// One for all tests: a command that two claims share runs once.
check::ClaimRunner& runner() {
  static check::ClaimRunner one(launch::Installation{P2PLAB_BUILD_DIR}, content::Language::en);
  return one;
}

void run_topic(const std::string& topic) {
  int run = 0;
  for (const Claim& claim : claims().all()) {
    if (claim.topic != topic) continue;
    ++run;
    for (const bool counter : {false, true}) {
      if (counter && !claim.counter) continue;
      INFO(claim.id << (counter ? " (counter-setting)" : ""));
      check::ClaimRequest request;
      request.counter = counter;
      const check::ClaimResult result = runner().run(claim, request);
      INFO("number " << result.number.dump());
      CHECK(result.outcome == result.wanted);
      CHECK(result.shown.empty() == !claim.experiment.has_value());
    }
  }
  CHECK(run > 0);
}

}  // namespace

TEST_CASE("claims about answers come out as declared") { run_topic("answers"); }
TEST_CASE("claims about buffers come out as declared") { run_topic("buffers"); }
TEST_CASE("claims about collectives come out as declared") { run_topic("collectives"); }
TEST_CASE("claims about cost come out as declared") { run_topic("cost"); }
TEST_CASE("claims about deadlock come out as declared") { run_topic("deadlock"); }
TEST_CASE("claims about mixture of experts come out as declared") { run_topic("moe"); }
TEST_CASE("claims about overlap come out as declared") { run_topic("overlap"); }
TEST_CASE("claims about pipelines come out as declared") { run_topic("pipeline"); }
TEST_CASE("claims about what calls promise come out as declared") { run_topic("semantics"); }
TEST_CASE("claims about parameter servers come out as declared") { run_topic("server"); }
TEST_CASE("claims about tensor parallelism come out as declared") { run_topic("tensor"); }

TEST_CASE("every topic of the claims has its test") {
  std::vector<std::string> topics;
  for (const auto& topic : claims().topics()) topics.push_back(topic.id);
  CHECK(topics == std::vector<std::string>{"answers", "buffers", "collectives", "cost", "deadlock", "moe", "overlap", "pipeline", "semantics", "server", "tensor"});
}

TEST_CASE("claims that allow it come out the same on real MPI") {
  if (!std::filesystem::exists(P2PLAB_BUILD_DIR "/lib/p2plab/libp2plab-host.so")) {
    WARN("skipped: the backend host was not built");
    return;
  }
  const int rounds = std::getenv("P2PLAB_TEST_ALL") != nullptr ? 10 : 1;
  for (int round = 0; round < rounds; ++round) {
    check::ClaimRunner fresh(launch::Installation{P2PLAB_BUILD_DIR}, content::Language::en);
    for (const Claim& claim : claims().all()) {
      if (!claim.host) continue;
      for (const bool counter : {false, true}) {
        INFO(claim.id << (counter ? " (counter-setting)" : "") << ", round " << round + 1);
        check::ClaimRequest request;
        request.backend = "host";
        request.counter = counter;
        const check::ClaimResult result = fresh.run(claim, request);
        INFO("number " << result.number.dump());
        CHECK(result.backend == "host");
        CHECK(result.outcome == result.wanted);
      }
    }
  }
}

TEST_CASE("a number is found by keys, indices and rows") {
  const auto json = nlohmann::ordered_json::parse(R"({"metrics":{"a":[4,3],"table":[{"x":1,"who":"ring","t":5},{"x":0.5,"who":"ring","t":7}]}})");
  CHECK(check::value_in(json, "metrics.a.1") == 3);
  CHECK(check::value_in(json, "metrics.table[x=1,who=ring].t") == 5);
  CHECK(check::value_in(json, "metrics.table[x=0.5].t") == 7);
  CHECK(check::value_in(json, "metrics.table[x=2].t").is_null());
  CHECK(check::value_in(json, "metrics.b.1").is_null());
}

TEST_CASE("a counter-setting is refused where there is none, and so is another backend") {
  check::ClaimRequest request;
  request.counter = true;
  CHECK_THROWS_AS(runner().run(claims().at("gpipe-title-large"), request), Error);
  request = {};
  request.backend = "cuda";
  CHECK_THROWS_AS(runner().run(claims().at("gpipe-title-large"), request), Error);
}
