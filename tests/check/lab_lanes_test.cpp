// The rule over lanes.
#include "app/check/lab_rules.h"
#include "tests/analysis/hand_made.h"
#include "tests/support/catch.h"

using namespace p2plab;

TEST_CASE("Work on a second stream is seen, a message in flight is none") {
  hand_made::Run run(1);
  run.complete(run.post(0, trace::Kind::send, 0, 0, 0), 5);
  const check::LabCase how;
  const check::LabEvidence evidence{how, run.trace, {}, nullptr};
  const auto* rule = check::find_lab_rule("lanes");
  REQUIRE(rule != nullptr);
  CHECK(rule->judge(evidence, {{"only", "host compute"}}).pass);
  hand_made::How second;
  second.lane = "comm two";
  run.span(0, trace::Kind::compute, 10, 20, second);
  CHECK_FALSE(rule->judge(evidence, {{"only", "host compute"}}).pass);
}
