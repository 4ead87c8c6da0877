// The rules of the labs on traces written by hand: each holds where it should, and fails for its one reason.
#include "app/check/lab_rules.h"

#include "app/analysis/matching.h"
#include "app/check/lab_check.h"
#include "tests/analysis/hand_made.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::check;
using hand_made::How;
using hand_made::Run;
using trace::Kind;

namespace {

/// A message from post to completion on both sides, [at, at + 10).
void message(Run& run, int from, int to, trace::Ns at, std::uint64_t bytes = 64, std::uint64_t hash = 0) {
  How how;
  how.bytes = bytes;
  const auto send = run.post(from, Kind::send, to, 0, at, how);
  const auto receive = run.post(to, Kind::receive, from, 0, at, how);
  run.complete(send, at + 10);
  run.complete(receive, at + 10);
  if (hash == 0) return;
  auto& hashes = run.trace.hashes(send.flight);
  hashes.post = hashes.done = hash;
  hashes.has_post = hashes.has_done = true;
}

RuleOutcome judged(Run& run, const std::string& rule, const RuleWith& with, LabValues values = {}, int ranks = 2) {
  if (run.trace.messages().empty()) analysis::Matcher().update(run.trace);
  LabCase how;
  how.ranks = ranks;
  values["p"] = ranks;
  const LabRule* found = find_lab_rule(rule);
  REQUIRE(found != nullptr);
  REQUIRE(wrong_parameters(*found, with) == "");
  return found->judge({how, run.trace, values, nullptr}, with);
}

Run ping_pong(int rounds, bool echo = true) {
  Run run(2);
  for (int i = 0; i < rounds; ++i) {
    message(run, 0, 1, 100 * i, 64, static_cast<std::uint64_t>(i + 1));
    message(run, 1, 0, 100 * i + 50, 64, static_cast<std::uint64_t>(echo ? i + 1 : 1000 + i));
  }
  return run;
}

}  // namespace

TEST_CASE("Messages are counted between two ranks, of one size") {
  Run run = ping_pong(3);
  message(run, 0, 1, 1000, 8);
  CHECK(judged(run, "messages", {{"between", "0 1"}, {"bytes", "n"}, {"exactly", "2*rounds"}}, {{"n", 64}, {"rounds", 3}}).pass);
  const RuleOutcome outcome = judged(run, "messages", {{"exactly", "6"}});
  CHECK_FALSE(outcome.pass);
  CHECK(outcome.what.id == "lab-rule.messages");
  CHECK(outcome.seen["value"] == 7.0);
}

TEST_CASE("Turns are broken by a question before the answer, and by none at all") {
  Run good = ping_pong(2);
  CHECK(judged(good, "alternation", {{"between", "0 1"}}).pass);
  Run early(2);
  message(early, 0, 1, 0);
  message(early, 0, 1, 20);
  CHECK(judged(early, "alternation", {{"between", "0 1"}}).what.id == "lab-rule.alternation-side");
  Run silent(2);
  CHECK(judged(silent, "alternation", {{"between", "0 1"}}).what.id == "lab-rule.alternation-none");
}

TEST_CASE("An echo has the bytes of its question, and questions differ") {
  Run good = ping_pong(3);
  CHECK(judged(good, "echo", {{"between", "0 1"}}).pass);
  Run own = ping_pong(3, false);
  CHECK(judged(own, "echo", {{"between", "0 1"}}).what.id == "lab-rule.echo-changed");
  Run same(2);
  for (int i = 0; i < 4; ++i) message(same, i % 2, 1 - i % 2, 100 * i, 64, 7);
  CHECK(judged(same, "echo", {{"between", "0 1"}}).what.id == "lab-rule.echo-same");
}

TEST_CASE("Bytes are summed by rank and by link") {
  Run run(3);
  message(run, 0, 1, 0, 100);
  message(run, 0, 2, 50, 20);
  message(run, 1, 2, 100, 30);
  CHECK(judged(run, "per-rank", {{"what", "sent-bytes"}, {"at_most", "120"}}, {}, 3).pass);
  CHECK_FALSE(judged(run, "per-rank", {{"what", "sent-bytes"}, {"exactly", "120"}}, {}, 3).pass);
  CHECK(judged(run, "per-link", {{"exactly", "100"}}, {}, 3).pass);
  CHECK(judged(run, "busiest-port", {{"exactly", "120"}}, {}, 3).pass);
  CHECK_FALSE(judged(run, "largest-message", {{"at_most", "99"}}, {}, 3).pass);
}

TEST_CASE("What is sent to a rank comes back from it") {
  Run run(3);
  message(run, 0, 1, 0, 100);
  message(run, 1, 0, 20, 60);
  message(run, 1, 0, 40, 40);
  CHECK(judged(run, "conservation", {}, {}, 3).pass);
  Run keeps(3);
  message(keeps, 0, 1, 0, 8);
  message(keeps, 1, 0, 20, 8);
  message(keeps, 0, 2, 60, 8);
  const RuleOutcome kept = judged(keeps, "conservation", {}, {}, 3);
  CHECK(kept.what.id == "lab-rule.conservation");
  CHECK(kept.seen["peer"] == 2);
}

TEST_CASE("Half a message under computation is half hidden, and what is not under it is exposed") {
  Run run(2);
  for (int rank = 0; rank < 2; ++rank) run.span(rank, Kind::compute, 0, 10);
  message(run, 0, 1, 5);
  CHECK(judged(run, "overlap", {{"exactly", "0.5"}}).pass);
  CHECK(judged(run, "overlap", {{"at_least", "0.6"}}).what.id == "lab-rule.overlap");
  CHECK(judged(run, "exposed", {{"exactly", "5"}}).pass);
  CHECK(judged(run, "exposed", {{"at_most", "4"}}).what.id == "lab-rule.exposed");
  Run silent(2);
  silent.span(0, Kind::compute, 0, 10);
  CHECK(judged(silent, "overlap", {{"at_least", "0"}}).what.id == "lab-rule.overlap-none");
}

TEST_CASE("Steps follow the chain of messages that wait for each other") {
  Run chain(3);
  message(chain, 0, 1, 0);
  message(chain, 1, 2, 20);
  CHECK(judged(chain, "steps", {{"exactly", "2"}}, {}, 3).pass);
  Run once(3);
  for (int rank = 0; rank < 3; ++rank) message(once, rank, (rank + 1) % 3, 0);
  CHECK(judged(once, "steps", {{"exactly", "1"}}, {}, 3).pass);
}

TEST_CASE("Collectives are counted on each rank") {
  Run run(2);
  for (int rank = 0; rank < 2; ++rank) run.trace.end(run.collective(rank, 0, 5), 9);
  CHECK(judged(run, "collectives", {{"exactly", "1"}}).pass);
  CHECK(judged(run, "collectives", {{"exactly", "0"}, {"except", "barrier"}}).pass);
  CHECK_FALSE(judged(run, "collectives", {{"exactly", "0"}}).pass);
}

TEST_CASE("A call may be forbidden or required, and a source must be named") {
  Run run = ping_pong(1);
  CHECK_FALSE(judged(run, "avoids", {{"calls", "send"}}).pass);
  CHECK(judged(run, "avoids", {{"calls", "bsend"}}).pass);
  CHECK(judged(run, "uses", {{"calls", "send|isend recv"}}).pass);
  CHECK(judged(run, "uses", {{"calls", "sendrecv"}}).what.id == "lab-rule.uses");
  CHECK(judged(run, "calls", {{"calls", "send recv"}, {"exactly", "2"}}).pass);
  CHECK_FALSE(judged(run, "calls", {{"calls", "send"}, {"at_most", "0"}}).pass);
  CHECK(judged(run, "named-sources", {}).pass);
  run.post(0, Kind::receive, trace::kNone, 0, 500);
  CHECK_FALSE(judged(run, "named-sources", {}).pass);
}

TEST_CASE("What is in flight during a computation is posted before it and completed after it") {
  Run run(1);
  const auto send = run.post(0, Kind::send, 0, 0, 0);
  run.span(0, Kind::compute, 5, 15);
  run.complete(send, 20);
  CHECK(judged(run, "outstanding", {{"at_least", "1"}}, {}, 1).pass);
  run.span(0, Kind::compute, 30, 40);
  const RuleOutcome outcome = judged(run, "outstanding", {{"at_least", "1"}}, {}, 1);
  CHECK_FALSE(outcome.pass);
  CHECK(outcome.seen["covered"] == "1");
  CHECK(judged(run, "pending", {{"at_most", "1"}}, {}, 1).pass);
  CHECK(judged(run, "computes", {{"exactly", "2"}}, {}, 1).pass);
}

TEST_CASE("A number of the program is held against its bounds, and must be there") {
  Run run(2);
  run.trace.add(trace::Metric{0, run.trace.intern("wrong"), 0});
  CHECK(judged(run, "metric", {{"name", "wrong"}, {"exactly", "0"}}).pass);
  CHECK_FALSE(judged(run, "metric", {{"name", "wrong"}, {"exactly", "0"}, {"ranks", "all"}}).pass);
  CHECK(judged(run, "metric", {{"name", "other"}, {"exactly", "0"}}).what.id == "lab-rule.metric-none");
  run.trace.add(trace::Metric{1, run.trace.intern("wrong"), 3});
  CHECK_FALSE(judged(run, "metric", {{"name", "wrong"}, {"exactly", "0"}}).pass);
}

TEST_CASE("A threshold lies between what was buffered and what had to wait") {
  const auto sweep = [](double said) {
    Run run(2);
    for (const std::uint64_t bytes : {4u, 8u, 16u}) {
      How how;
      how.bytes = bytes;
      const auto at = static_cast<trace::Ns>(1000 * bytes);
      const auto send = run.post(0, Kind::send, 1, 0, at, how);
      if (bytes <= 8) run.complete(send, at + 5);
      const auto receive = run.post(1, Kind::receive, 0, 0, at + 100, how);
      if (bytes > 8) run.complete(send, at + 120);
      run.complete(receive, at + 120);
    }
    run.trace.add(trace::Metric{0, run.trace.intern("threshold"), said});
    return run;
  };
  Run right = sweep(8), low = sweep(4), high = sweep(16);
  CHECK(judged(right, "threshold", {{"name", "threshold"}}).pass);
  CHECK_FALSE(judged(low, "threshold", {{"name", "threshold"}}).pass);
  CHECK_FALSE(judged(high, "threshold", {{"name", "threshold"}}).pass);
  Run untried(2);
  CHECK(judged(untried, "threshold", {{"name", "threshold"}}).what.id == "lab-rule.threshold-untried");
}

TEST_CASE("Parameters that a rule does not know, and bounds that are missing, are refused") {
  CHECK(wrong_parameters(*find_lab_rule("steps"), {{"exactly", "1"}, {"betwen", "0 1"}}).find("betwen") != std::string::npos);
  CHECK_FALSE(wrong_parameters(*find_lab_rule("steps"), {}).empty());
  CHECK_FALSE(wrong_parameters(*find_lab_rule("alternation"), {}).empty());
  CHECK(find_lab_rule("no-such-rule") == nullptr);
}

TEST_CASE("How far ahead a worker is when the server answers it is counted from what has come by then") {
  Run run(3);
  message(run, 2, 0, 0);
  message(run, 0, 2, 20);   // 1 ahead
  message(run, 2, 0, 40);
  message(run, 0, 2, 60);   // 2 ahead
  message(run, 2, 0, 80);
  message(run, 1, 0, 100);
  message(run, 0, 2, 120);  // 2 ahead again
  message(run, 0, 1, 140);  // 2 behind
  CHECK(judged(run, "lead", {{"server", "0"}, {"exactly", "2"}}, {}, 3).pass);
  const RuleOutcome outcome = judged(run, "lead", {{"server", "0"}, {"at_most", "1"}}, {}, 3);
  CHECK(outcome.what.id == "lab-rule.lead");
  CHECK(outcome.seen["value"] == 2.0);
  REQUIRE(outcome.spans.size() == 1);
  CHECK(run.trace.span(outcome.spans[0]).begin == 60);
  Run silent(3);
  message(silent, 1, 0, 0);
  CHECK(judged(silent, "lead", {{"server", "0"}, {"exactly", "0"}}, {}, 3).what.id == "lab-rule.lead-none");
}

TEST_CASE("What was seen by a rule can be said without what was expected") {
  const content::Text text(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/text", content::Language::en);
  int rules = 0;
  for (const auto& [id, twins] : text.all()) {
    if (!id.starts_with("lab-rule.")) continue;
    ++rules;
    INFO(id);
    LabOutcome outcome;
    outcome.verdict = analysis::Verdict::fail;
    outcome.what = {id, {{"wanted", "WANTED"}, {"within", "WITHIN"}, {"bytes", "BYTES"}, {"seen", "3"}}};
    const TextRef seen = seen_words(outcome);
    REQUIRE(text.has(seen.id));
    CHECK(seen.params == Params{{"seen", "3"}});
    for (const auto& [language, words] : text.all().find(seen.id)->second)
      for (const char* expected : {"{wanted", "{within", "{bytes", "{schedule", "Expected", "期望"}) CHECK(words.find(expected) == std::string::npos);
  }
  CHECK(rules > 40);
}
