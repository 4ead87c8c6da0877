// The virtual world of rank programs: who is given what, and when.
#include "app/schedule/hub.h"

#include "tests/support/catch.h"

using namespace p2plab::schedule;

namespace {

HubMessage message(bool send, int rank, std::uint32_t number, int peer, std::uint64_t bytes, int tag = 0, bool synchronous = false) {
  return {{rank, number}, send, peer, tag, bytes, synchronous};
}

/// All are quiet without a deadline; what happens next, as "kind rank.number[<-rank.number]" after the time.
std::string next(Hub& hub, int ranks) {
  for (int r = 0; r < ranks; ++r) hub.quiet(r, kNoDeadline);
  std::vector<HubEvent> events;
  if (!hub.advance(events)) return "stuck";
  std::string out = std::to_string(hub.now());
  static constexpr const char* kNames[] = {"fetch", "done", "collected", "given", "truncated"};
  for (const HubEvent& event : events) {
    out += std::string(" ") + kNames[static_cast<int>(event.kind)] + " " + std::to_string(event.id.rank) + "." + std::to_string(event.id.number);
    if (event.from) out += "<-" + std::to_string(event.from->rank) + "." + std::to_string(event.from->number);
  }
  return out;
}

LinkCost link(Ns latency, std::uint64_t eager) {
  LinkCost out;
  out.latency_ns = latency;
  out.eager_limit = eager;
  return out;
}

}  // namespace

TEST_CASE("a small message is buffered: its send is done at once, its receive a latency later") {
  Hub hub(2, link(7, 100));
  hub.post(message(true, 0, 1, 1, 50));
  CHECK(next(hub, 2) == "0 fetch 0.1 done 0.1");
  hub.post(message(false, 1, 1, 0, 50));
  CHECK(next(hub, 2) == "7 done 1.1<-0.1");
}

TEST_CASE("a message above the eager limit waits for its receive, asks first, and then travels") {
  Hub hub(2, link(7, 100));
  hub.post(message(true, 0, 1, 1, 200));
  CHECK(next(hub, 2) == "stuck");
  hub.post(message(false, 1, 1, 0, 200));
  CHECK(next(hub, 2) == "0 fetch 0.1 done 0.1");
  CHECK(next(hub, 2) == "21 done 1.1<-0.1");
}

TEST_CASE("a synchronous send is done only once it is matched, however small") {
  Hub hub(2, link(0, 100));
  hub.post(message(true, 0, 1, 1, 1, 0, true));
  CHECK(next(hub, 2) == "stuck");
  hub.post(message(false, 1, 1, 0, 1));
  CHECK(next(hub, 2) == "0 fetch 0.1 done 0.1 done 1.1<-0.1");
}

TEST_CASE("messages of one pair and tag match in the order of posting, other tags by themselves") {
  Hub hub(2, link(0, 100));
  hub.post(message(true, 0, 1, 1, 1, 5));
  hub.post(message(true, 0, 2, 1, 1, 6));
  hub.post(message(true, 0, 3, 1, 1, 5));
  next(hub, 2);
  hub.post(message(false, 1, 1, 0, 1, 6));
  hub.post(message(false, 1, 2, 0, 1, 5));
  hub.post(message(false, 1, 3, 0, 1, 5));
  CHECK(next(hub, 2) == "0 done 1.1<-0.2 done 1.2<-0.1 done 1.3<-0.3");
}

TEST_CASE("a message longer than its receive is told, not cut") {
  Hub hub(2, link(0, 100));
  hub.post(message(false, 1, 1, 0, 4));
  hub.post(message(true, 0, 1, 1, 8));
  CHECK(next(hub, 2) == "0 fetch 0.1 done 0.1 truncated 1.1<-0.1");
}

TEST_CASE("the clock moves to the earliest deadline, and only that rank runs again") {
  Hub hub(3, link(0, 100));
  hub.quiet(0, 30);
  hub.quiet(1, 20);
  CHECK_FALSE(hub.all_quiet());
  hub.quiet(2, kNoDeadline);
  CHECK(hub.all_quiet());
  std::vector<HubEvent> events;
  REQUIRE(hub.advance(events));
  CHECK(hub.now() == 20);
  CHECK(hub.wakes() == std::vector<int>{1});
  CHECK_FALSE(hub.all_quiet());
}

TEST_CASE("a port carries one message at a time, in the order of ranks within an instant") {
  LinkCost slow = link(0, 1000);
  slow.bytes_per_s = 1e9;
  Hub hub(3, slow);
  hub.post(message(false, 1, 1, 0, 100));
  hub.post(message(false, 1, 2, 2, 100));
  hub.post(message(true, 2, 1, 1, 100));  // posted first by chance of the machine
  hub.post(message(true, 0, 1, 1, 100));
  CHECK(next(hub, 3) == "0 fetch 0.1 done 0.1 fetch 2.1 done 2.1");
  CHECK(next(hub, 3) == "100 done 1.1<-0.1");
  CHECK(next(hub, 3) == "200 done 1.2<-2.1");
}

TEST_CASE("a collective is complete once the last rank has come, and costs its rounds") {
  Hub hub(2, link(10, 100));
  hub.post(HubCollective{{0, 1}, 0, 2, 0});
  CHECK(next(hub, 2) == "stuck");
  hub.post(HubCollective{{1, 1}, 0, 2, 0});
  CHECK(next(hub, 2) == "20 collected 0.0");
}

TEST_CASE("the root of a small broadcast leaves at once, and nobody waits for a late leaf; of a large one all leave together") {
  const auto broadcast = [](int rank, std::uint64_t bytes) {
    HubCollective out{{rank, 1}, bytes, 2, 0};
    out.root = 1;
    return out;
  };
  Hub hub(3, link(7, 100));
  hub.post(broadcast(0, 50));  // before the root
  CHECK(next(hub, 3) == "stuck");
  hub.post(broadcast(1, 50));
  CHECK(next(hub, 3) == "0 given 1.1<-0.0");
  CHECK(next(hub, 3) == "14 given 0.1<-0.0");
  hub.post(broadcast(2, 50));  // the bytes lie there
  CHECK(next(hub, 3) == "14 given 2.1<-0.0");

  Hub large(2, link(7, 100));
  large.post(broadcast(1, 200));
  CHECK(next(large, 2) == "stuck");
  large.post(broadcast(0, 200));
  CHECK(next(large, 2) == "14 collected 0.0");
}

TEST_CASE("a group's collective waits for its members alone, wakes them alone, and is counted apart from the world's") {
  Hub hub(3, link(10, 100));
  const auto among = [](int rank, std::uint32_t number) {
    HubCollective one{{rank, number}, 0, 1, 0};
    one.group = 1;
    one.members = {0, 2};
    return one;
  };
  hub.post(HubCollective{{1, 1}, 0, 2, 0});  // the world's, which the others have not reached
  hub.post(among(0, 1));
  CHECK(next(hub, 3) == "stuck");
  hub.post(among(2, 1));
  CHECK(next(hub, 3) == "10 collected 1.0");
  CHECK(hub.wakes() == std::vector<int>{0, 2});
  hub.post(among(2, 2));
  hub.post(among(0, 2));
  CHECK(next(hub, 3) == "20 collected 1.1");
  hub.post(HubCollective{{0, 3}, 0, 2, 0});
  hub.post(HubCollective{{2, 3}, 0, 2, 0});
  CHECK(next(hub, 3) == "40 collected 0.0");
  CHECK(hub.wakes() == std::vector<int>{0, 1, 2});
}

TEST_CASE("who has left releases nobody, and the others can still finish among themselves") {
  Hub hub(3, link(0, 100));
  hub.left(2);
  hub.post(message(false, 0, 1, 2, 1));
  hub.post(message(false, 0, 2, 1, 1));
  hub.post(message(true, 1, 1, 0, 1));
  hub.quiet(0, kNoDeadline);
  hub.quiet(1, kNoDeadline);
  REQUIRE(hub.all_quiet());
  std::vector<HubEvent> events;
  REQUIRE(hub.advance(events));
  CHECK(hub.wakes() == std::vector<int>{0, 1});
  hub.quiet(0, kNoDeadline);
  hub.quiet(1, kNoDeadline);
  CHECK_FALSE(hub.advance(events));
}
