// Every rule of a legal schedule, broken once.
#include "tests/schedule/support.h"
#include "tests/support/catch.h"

using namespace p2plab::test;

namespace {
Schedule gpipe() { return make_schedule(generator("gpipe"), problem(2, 2)); }
Schedule split() { return make_schedule(generator("zb-h1"), problem(2, 2)); }
Action message(Op op, int i) { return {i, 0, op}; }
Schedule told() {
  Schedule schedule = gpipe();
  schedule.stages = {{forward(0), message(Op::send_forward, 0), forward(1), message(Op::send_forward, 1), message(Op::receive_backward, 0),
                      backward(0), message(Op::receive_backward, 1), backward(1)},
                     {message(Op::receive_forward, 0), forward(0), message(Op::receive_forward, 1), forward(1), backward(0),
                      message(Op::send_backward, 0), backward(1), message(Op::send_backward, 1)}};
  return schedule;
}
}  // namespace

TEST_CASE("an action that is missing, doubled or out of range is a fault") {
  Schedule doubled = gpipe();
  doubled.stages[1][1] = doubled.stages[1][0];
  CHECK(text(find_fault(doubled)) == "schedule.fault.twice action=F0 stage=1");
  Schedule missing = gpipe();
  missing.stages[0].pop_back();
  CHECK(text(find_fault(missing)) == "schedule.fault.missing action=B1 stage=0");
  Schedule foreign = gpipe();
  foreign.stages[0][0].microbatch = 7;
  CHECK(text(find_fault(foreign)) == "schedule.fault.no_microbatch action=F7 stage=0 m=2 last=1");
  Schedule elsewhere = gpipe();
  elsewhere.stages[0][0].chunk = 1;
  CHECK(text(find_fault(elsewhere)) == "schedule.fault.no_chunk action=F0.1 stage=0 v=1");
  Schedule fewer = gpipe();
  fewer.stages.pop_back();
  CHECK(text(find_fault(fewer)) == "schedule.fault.orders orders=1 p=2");
}

TEST_CASE("a backward is whole or split, not both, and its W is not left out") {
  Schedule both = gpipe();
  both.stages[0].push_back(weight(1));
  CHECK(text(find_fault(both)) == "schedule.fault.both action=W1 stage=0");
  Schedule without = split();
  std::erase(without.stages[1], weight(1));
  CHECK(text(find_fault(without)) == "schedule.fault.missing action=W1 stage=1");
}

TEST_CASE("a circular wait is printed as the cycle of actions") {
  Schedule backward_first = gpipe();
  std::swap(backward_first.stages[0][0], backward_first.stages[0][2]);
  CHECK(text(find_fault(backward_first)) == "schedule.fault.cycle action=B0 stage=0 cycle=B0@0 → F0@0 → B0@0");
  Schedule crossed = make_schedule(generator("naive"), problem(2, 2));
  crossed.stages[1] = {forward(1), backward(1), forward(0), backward(0)};
  CHECK(text(find_fault(crossed)) == "schedule.fault.cycle action=B0 stage=0 cycle=B0@0 → B0@1 → F1@1 → F1@0 → B0@0");
  Schedule weight_first = split();
  std::swap(weight_first.stages[1][1], weight_first.stages[1][4]);
  CHECK(text(find_fault(weight_first)).starts_with("schedule.fault.cycle action=W"));
}

TEST_CASE("a stage that misses a meeting leaves the others waiting") {
  Schedule schedule = make_schedule(generator("allreduce-gpipe"), problem(2, 2));
  schedule.stages[1].pop_back();
  CHECK(text(find_fault(schedule)) == "schedule.fault.meetings stage=1");
}

TEST_CASE("explicit messages are all there and in order, or the schedule is at fault") {
  CHECK(text(find_fault(told())) == "");
  Schedule missing = told();
  std::erase(missing.stages[1], message(Op::receive_forward, 1));
  CHECK(text(find_fault(missing)) == "schedule.fault.missing action=receive F1 stage=1");
  Schedule extra = told();
  extra.stages[0].push_back(message(Op::send_backward, 0));
  CHECK(text(find_fault(extra)) == "schedule.fault.no_neighbour action=send B0 stage=0");
  Schedule early = told();
  std::swap(early.stages[0][0], early.stages[0][1]);
  CHECK(text(find_fault(early)) == "schedule.fault.cycle action=send F0 stage=0 cycle=send F0@0 → F0@0 → send F0@0");
  Schedule late = told();  // both sides wait for what the other sends after its wait
  late.stages[0] = {forward(0), forward(1), message(Op::receive_backward, 0), message(Op::receive_backward, 1), backward(0), backward(1),
                    message(Op::send_forward, 0), message(Op::send_forward, 1)};
  CHECK(text(find_fault(late)).find("cycle=B0@0 → send B0@1 → F0@1 → send F0@0 → B0@0") != std::string::npos);
}

TEST_CASE("a memory limit names the action that exceeds it") {
  const Schedule schedule = make_schedule(generator("1f1b"), problem(4, 8));
  CHECK(text(find_fault(schedule, 4)) == "");
  CHECK(text(find_fault(schedule, 3)) == "schedule.fault.memory action=F3 stage=0 limit=3");
}
