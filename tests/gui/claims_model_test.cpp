// The claims as the window knows them: which are listed, and that an experiment ends as it does in the terminal.
#include "app/gui/model/claims_reader.h"

#include <algorithm>
#include <thread>

#include "app/trace/trace.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::gui;
using content::ClaimOutcome;

namespace {

const launch::Installation kBuild{P2PLAB_BUILD_DIR};

/// Until the experiment has ended; a hang ends the test after two minutes.
void wait_for(ClaimsReader& reader) {
  for (int i = 0; i < 12000 && reader.running(); ++i) {
    reader.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  REQUIRE_FALSE(reader.running());
}

/// The first claim of which this is true.
const content::Claim& claim_where(ClaimsReader& reader, bool (*wanted)(const content::Claim&)) {
  for (const auto& claim : reader.claims()->all())
    if (wanted(claim)) return claim;
  FAIL("there is no such claim");
  return reader.claims()->all().front();
}

bool on_two_schedules(const content::Claim& claim) { return claim.experiment && claim.experiment->runs.size() == 2 && claim.experiment->runs[0][0] == "sim"; }
bool on_a_demo(const content::Claim& claim) { return claim.experiment && claim.experiment->runs[0][0] == "run" && claim.experiment->runs[0][1] == "deadlock"; }

}  // namespace

TEST_CASE("all claims are listed by topic, and filters of topic, verdict and words leave those that fit") {
  ClaimsReader reader(kBuild);
  REQUIRE(reader.claims());
  const auto all = reader.claims()->all().size();
  CHECK(all >= 60);
  CHECK(reader.listed().size() == all);
  std::size_t by_topic = 0, by_verdict = 0;
  for (std::size_t i = 0; i < reader.claims()->topics().size(); ++i) {
    reader.next_topic();
    CHECK(reader.topic == i + 1);
    for (const auto* claim : reader.listed()) CHECK(claim->topic == reader.claims()->topics()[i].id);
    by_topic += reader.listed().size();
  }
  reader.next_topic();
  CHECK(reader.topic == 0);
  for (int i = 0; i < 4; ++i) {
    reader.next_verdict();
    REQUIRE(reader.verdict);
    CHECK_FALSE(reader.listed().empty());
    for (const auto* claim : reader.listed()) CHECK(claim->verdict == *reader.verdict);
    by_verdict += reader.listed().size();
  }
  reader.next_verdict();
  CHECK_FALSE(reader.verdict);
  CHECK(by_topic == all);
  CHECK(by_verdict == all);
  reader.query = "GPIPE";
  CHECK(reader.listed().size() > 1);
  CHECK(reader.listed().size() < all / 2);
  reader.query = "气泡";
  CHECK_FALSE(reader.listed().empty());
  reader.query = "no claim says this";
  CHECK(reader.listed().empty());
}

TEST_CASE("neighbours are those of the list as it is filtered") {
  ClaimsReader reader(kBuild);
  REQUIRE(reader.claims());
  reader.topic = 2;
  const auto listed = reader.listed();
  REQUIRE(listed.size() >= 2);
  reader.open(listed.front()->id);
  CHECK(reader.neighbour(-1) == nullptr);
  CHECK(reader.neighbour(+1) == listed[1]);
  reader.open(listed.back()->id);
  CHECK(reader.neighbour(+1) == nullptr);
  reader.open("no-such-claim");
  REQUIRE(reader.error());
  CHECK(reader.error()->id == "claim.unknown_far");
}

TEST_CASE("an experiment and its counter-setting end in the window as in the terminal, with number and timelines") {
  ClaimsReader reader(kBuild);
  REQUIRE(reader.claims());
  check::ClaimRunner terminal(kBuild, content::Language::en);
  for (const auto* claim : {&claim_where(reader, on_two_schedules), &claim_where(reader, on_a_demo)}) {
    INFO(claim->id);
    reader.open(claim->id);
    for (const bool counter : {false, true}) {
      reader.run(counter, "sim", content::Language::en);
      CHECK(reader.running(*claim, counter));
      CHECK(reader.state(*claim, counter)->state == ClaimState::State::running);
      wait_for(reader);
      const ClaimState* state = reader.state(*claim, counter);
      REQUIRE(state);
      REQUIRE(state->state == ClaimState::State::done);
      check::ClaimRequest request;
      request.counter = counter;
      const auto expected = terminal.run(*claim, request);
      CHECK(state->result.number == expected.number);
      CHECK(state->result.shown == expected.shown);
      CHECK(state->result.outcome == expected.outcome);
      CHECK(state->result.as_declared());
      REQUIRE(state->shown.size() == (counter ? claim->counter : claim->experiment)->runs.size());
      for (const auto& shown : state->shown) {
        REQUIRE(shown.trace);
        CHECK(shown.trace->spans().size() > 0);
        CHECK(shown.metrics.is_object());
      }
    }
    const auto& counter = reader.state(*claim, true)->result;  // the other side, unless it decides another sentence
    CHECK((counter.other_sentence() || reader.state(*claim, false)->result.outcome != counter.outcome));
  }
}

TEST_CASE("a claim that was left keeps its number; its pictures go with the next experiment of another claim") {
  ClaimsReader reader(kBuild);
  const content::Claim& first = claim_where(reader, on_two_schedules);
  reader.open(first.id);
  reader.run(false, "sim", content::Language::en);
  wait_for(reader);
  const content::Claim& second = claim_where(reader, on_a_demo);
  reader.open(second.id);
  CHECK_FALSE(reader.state(first, false)->shown.empty());
  reader.run(false, "sim", content::Language::en);
  CHECK(reader.state(first, false)->shown.empty());
  CHECK_FALSE(reader.state(first, false)->result.shown.empty());
  reader.stop();
  CHECK_FALSE(reader.running());
  CHECK(reader.state(second, false) == nullptr);
}

TEST_CASE("the fonts are told every character of every claim") {
  ClaimsReader reader(kBuild);
  const std::string all = reader.characters();
  for (const auto& claim : reader.claims()->all())
    for (const auto& text : {claim.claim, claim.why, claim.better}) {
      CHECK(all.find(text.zh) != std::string::npos);
      CHECK(all.find(text.en) != std::string::npos);
    }
}
