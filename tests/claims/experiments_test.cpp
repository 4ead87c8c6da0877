// Every claim comes out as its file declares, and its counter-setting on the other side. On the virtual clock, so exactly.
#include "app/check/claim_run.h"

#include <cstdlib>
#include <regex>

#include "app/check/demo_manifest.h"
#include "app/check/demo_run.h"
#include "app/content/live_block.h"

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

const check::DemoManifest& demo_called(const std::string& id) {
  static const auto demos = check::load_demos(launch::Installation{P2PLAB_BUILD_DIR}.demos());
  for (const auto& demo : demos)
    if (demo.id == id) return demo;
  throw std::runtime_error("no demo " + id);
}

/// The printed command, typed again, runs what was run: what it sets is what ran, and nothing else was set.
void check_command(const std::string& command, const nlohmann::ordered_json& run) {
  INFO(command);
  auto words = content::command_words(command);
  REQUIRE(words.size() > 2);
  REQUIRE(words.front() == "p2plab");
  words.erase(words.begin());
  if (words.front() == "sim") {
    CHECK(run["schedule"] == words[1]);
    return;
  }
  const auto& demo = demo_called(words[1]);
  CHECK(run["demo"] == demo.id);
  std::map<std::string, std::string> typed;
  std::string ranks = std::to_string(demo.ranks), strict = "false", link = run["link"];
  for (std::size_t i = 2; i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    if (words[i - 1] == "--set") typed[words[i].substr(0, equals)] = words[i].substr(equals + 1);
    if (words[i - 1] == "--ranks") ranks = words[i];
    if (words[i - 1] == "--link") link = words[i];
    if (words[i] == "--strict") strict = "true";
  }
  CHECK(run["ranks"].dump() == ranks);
  CHECK(run["strict"].dump() == strict);
  CHECK(run["link"] == link);
  for (const auto& [knob, value] : run["knobs"].items()) {
    INFO("knob " << knob);
    const std::string ran = value.is_string() ? value.get<std::string>() : value.dump();
    std::string wanted;
    for (const auto& known : demo.knobs)
      if (known.id == knob) wanted = known.default_value;
    if (typed.contains(knob)) wanted = typed.at(knob);
    CHECK(ran == wanted);
    typed.erase(knob);
  }
  CHECK(typed.empty());
}

/// A row picked from a table by what is a knob of the demo is the row of the printed command, not another one of a sweep.
void check_row(const std::string& path, const nlohmann::ordered_json& run) {
  const std::regex pair("[\\[,]([a-z_]+)=([^,\\]]+)");
  for (auto at = std::sregex_iterator(path.begin(), path.end(), pair); at != std::sregex_iterator(); ++at) {
    const std::string column = (*at)[1], value = (*at)[2], percent = column.ends_with("_times") ? column.substr(0, column.size() - 6) + "_percent" : column;
    INFO(path);
    CHECK_FALSE((percent != column && run.contains("knobs") && run["knobs"].contains(percent)));
    if (run.contains("knobs") && run["knobs"].contains(column)) CHECK((run["knobs"][column].is_string() ? run["knobs"][column].get<std::string>() : run["knobs"][column].dump()) == value);
  }
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
      for (std::size_t i = 0; i < result.runs.size(); ++i) check_command(result.commands[i], result.runs[i]);
      if (const auto& experiment = result.experiment()) {
        check_row(experiment->metric, result.runs.front());
        check_row(experiment->over + experiment->minus, result.runs.back());
      }
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

TEST_CASE("the verdict of a run that did not end as its demo promises speaks neither for a claim nor against it") {
  CHECK(check::is_evidence({{"verdict", "deadlock"}, {"promised", "deadlock"}, {"as_promised", true}}));
  CHECK_FALSE(check::is_evidence({{"verdict", "crash"}, {"promised", "deadlock"}, {"as_promised", false}}));
  CHECK_FALSE(check::is_evidence({{"verdict", "deadlock"}, {"promised", "pass"}, {"as_promised", false}}));
  const Claim& claim = claims().at("group-is-optimisation");
  CHECK(check::is_evidence(runner().run(claim, {}).runs.front()));
}

TEST_CASE("a time that is short is said in microseconds, a long one in milliseconds") {
  CHECK(check::claim_number(0, "us") == "0 µs");
  CHECK(check::claim_number(12'500, "us") == "12.5 µs");
  CHECK(check::claim_number(20e6, "us") == "20 ms");
  CHECK(check::claim_number(12'500, "ms") == "0.0125 ms");
}

TEST_CASE("a counter-setting is refused where there is none, and so is another backend") {
  check::ClaimRequest request;
  request.counter = true;
  CHECK_THROWS_AS(runner().run(claims().at("gpipe-title-large"), request), Error);
  for (const char* backend : {"cuda", "nccl", "gpu"}) {
    request = {};
    request.backend = backend;
    CHECK_THROWS_AS(runner().run(claims().at("gpipe-title-large"), request), Error);
  }
}
