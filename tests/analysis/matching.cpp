// Matching: who belongs to whom, and when.
#include "app/analysis/matching.h"

#include "tests/analysis/hand_made.h"
#include "tests/support/catch.h"

using namespace hand_made;
using p2plab::analysis::Matcher;

namespace {

SpanId receive_of(const Trace& trace, const Op& send) {
  for (const Message& message : trace.messages()) {
    if (message.send == send.flight) return message.receive;
  }
  return kNoIndex;
}

}  // namespace

TEST_CASE("A message knows when its send returned, when both sides were posted and when it was complete") {
  Run run(2);
  const Op send = run.post(0, Kind::send, 1, 7, 100);
  run.returned(send, 130);
  const Op receive = run.post(1, Kind::receive, 0, 7, 250, {.blocking = true});
  Matcher matcher;
  matcher.update(run.trace);
  REQUIRE(run.trace.messages().size() == 1);
  CHECK(run.trace.messages()[0].send == send.flight);
  CHECK(run.trace.messages()[0].receive == receive.flight);
  CHECK(run.trace.messages()[0].send_return == 130);
  CHECK(run.trace.messages()[0].match == 250);
  CHECK(run.trace.messages()[0].completion == kOpen);
  run.complete(receive, 900);
  run.complete(send, 880);
  matcher.update(run.trace);
  REQUIRE(run.trace.messages().size() == 1);
  CHECK(run.trace.messages()[0].completion == 900);
}

TEST_CASE("Messages of one source and tag do not overtake; another tag may") {
  Run run(2);
  const Op a = run.post(0, Kind::send, 1, 1, 10);
  const Op b = run.post(0, Kind::send, 1, 2, 20);
  const Op c = run.post(0, Kind::send, 1, 1, 30);
  const Op second = run.post(1, Kind::receive, 0, 2, 40);
  const Op first = run.post(1, Kind::receive, 0, 1, 50);
  const Op third = run.post(1, Kind::receive, 0, 1, 60);
  Matcher().update(run.trace);
  CHECK(receive_of(run.trace, a) == first.flight);
  CHECK(receive_of(run.trace, b) == second.flight);
  CHECK(receive_of(run.trace, c) == third.flight);
}

TEST_CASE("Communicators and sources are separate") {
  Run run(3);
  const Op a = run.post(0, Kind::send, 2, 0, 10, {.comm = "row"});
  const Op b = run.post(0, Kind::send, 2, 0, 20, {.comm = "column"});
  const Op c = run.post(1, Kind::send, 2, 0, 30, {.comm = "column"});
  const Op for_c = run.post(2, Kind::receive, 1, 0, 40, {.comm = "column"});
  const Op for_b = run.post(2, Kind::receive, 0, 0, 50, {.comm = "column"});
  Matcher().update(run.trace);
  CHECK(run.trace.messages().size() == 2);
  CHECK(receive_of(run.trace, a) == kNoIndex);
  CHECK(receive_of(run.trace, b) == for_b.flight);
  CHECK(receive_of(run.trace, c) == for_c.flight);
}

TEST_CASE("A wildcard receive takes the first message that fits, and yields to an earlier exact receive") {
  Run run(3);
  const Op exact = run.post(2, Kind::receive, 0, 5, 1);
  const Op any = run.post(2, Kind::receive, kNone, kNone, 2);
  const Op a = run.post(0, Kind::send, 2, 5, 10);
  const Op b = run.post(1, Kind::send, 2, 9, 20);
  Matcher().update(run.trace);
  CHECK(receive_of(run.trace, a) == exact.flight);
  CHECK(receive_of(run.trace, b) == any.flight);
}

TEST_CASE("A wildcard receive posted late takes the earliest of the messages that wait") {
  Run run(3);
  const Op late = run.post(1, Kind::send, 2, 3, 20);
  const Op early = run.post(0, Kind::send, 2, 8, 10);
  const Op any = run.post(2, Kind::receive, kNone, kNone, 30);
  Matcher().update(run.trace);
  CHECK(receive_of(run.trace, early) == any.flight);
  CHECK(receive_of(run.trace, late) == kNoIndex);
}

TEST_CASE("Under nccl semantics tags do not exist: first in, first out per ordered pair") {
  Run run(2, "nccl");
  const Op a = run.post(0, Kind::send, 1, 5, 10);
  const Op b = run.post(0, Kind::send, 1, 6, 20);
  const Op first = run.post(1, Kind::receive, 0, 6, 30);
  const Op second = run.post(1, Kind::receive, 0, 5, 40);
  Matcher().update(run.trace);
  CHECK(receive_of(run.trace, a) == first.flight);
  CHECK(receive_of(run.trace, b) == second.flight);
}

TEST_CASE("The parts of a group return with the group's call") {
  Run run(2);
  const auto [call, ops] = run.group(0, {{Kind::send, 1, 0}, {Kind::receive, 1, 0}}, 10);
  const auto [other, theirs] = run.group(1, {{Kind::send, 0, 0}, {Kind::receive, 0, 0}}, 20);
  run.trace.end(call, 15);
  Matcher().update(run.trace);
  REQUIRE(run.trace.messages().size() == 2);
  CHECK(receive_of(run.trace, ops[0]) == theirs[1].flight);
  CHECK(receive_of(run.trace, theirs[0]) == ops[1].flight);
  for (const Message& message : run.trace.messages()) {
    CHECK(message.send_return == (message.send == ops[0].flight ? 15 : kOpen));
  }
}

TEST_CASE("Following a growing trace gives what reading it at once gives") {
  Run run(2);
  Matcher following;
  for (int i = 0; i < 50; ++i) {
    const Op send = run.post(0, Kind::send, 1, i % 3, 10 * i);
    run.complete(send, 10 * i + 2);
    if (i % 2 == 1) {
      following.update(run.trace);
      for (const int k : {i, i - 1}) run.complete(run.post(1, Kind::receive, 0, k % 3, 10 * i + 5), 10 * i + 6);
    }
    following.update(run.trace);
  }
  const auto live = run.trace.messages();
  run.trace.messages().clear();
  Matcher().update(run.trace);
  REQUIRE(live.size() == 50);
  REQUIRE(run.trace.messages().size() == live.size());
  for (const Message& message : run.trace.messages()) {
    const auto same = std::find_if(live.begin(), live.end(), [&](const Message& m) { return m.send == message.send; });
    REQUIRE(same != live.end());
    CHECK(same->receive == message.receive);
    CHECK(same->completion == message.completion);
    CHECK(same->send_return == message.send_return);
  }
}
