// Records that a rank could have written otherwise, against what the hub saw.
#include "app/check/sim_witness.h"

#include "tests/support/catch.h"

using namespace p2plab;
using check::SimWitness;
using trace::Kind;
using trace::Ns;

namespace {

struct Edit {
  Ns send_at = 10, send_done = 12, forward_ends = 10;
  int peer = 1, tag = 3;
  std::uint64_t bytes = 64;
  bool second_send = false, no_receive = false;
};

void add(trace::Trace& trace, int rank, const char* lane, Kind kind, Ns begin, Ns end, int peer = trace::kNone, int tag = trace::kNone, std::uint64_t bytes = 0) {
  trace::Span span;
  span.track = trace.track(rank, trace.intern(lane));
  span.kind = kind;
  span.begin = begin;
  span.peer = peer;
  span.tag = tag;
  span.bytes = bytes;
  if (peer != trace::kNone) span.flags = trace::kInFlight;
  trace.end(trace.begin(span), end);
}

/// Rank 0 computes for 10 ns and sends 64 bytes, which rank 1 has at 15.
trace::Trace recorded(const Edit& edit = {}) {
  trace::Trace trace;
  trace.run.ranks = 2;
  add(trace, 0, "compute", Kind::forward, 0, edit.forward_ends);
  add(trace, 0, "in flight", Kind::send, edit.send_at, edit.send_done, edit.peer, edit.tag, edit.bytes);
  if (edit.second_send) add(trace, 0, "in flight", Kind::send, 10, 12, 1, 3, 64);
  if (!edit.no_receive) add(trace, 1, "in flight", Kind::receive, 0, 15, 0, 3, 64);
  return trace;
}

SimWitness carried() {
  SimWitness seen;
  seen.ranks = {{{{true, 1, 3, 64, 10, 12}}, {0, 7, 10, 12, 14}}, {{{false, 0, 3, 64, 0, 15}}, {0, 15}}};
  return seen;
}

std::string found(const Edit& edit, bool nccl = false, const std::map<Kind, Ns>& lasts = {}) {
  const auto odd = check::contradiction(recorded(edit), carried(), nccl, lasts);
  return odd ? odd->id.substr(odd->id.rfind('-') + 1) : "";
}

}  // namespace

TEST_CASE("Records that agree with the hub are believed") {
  CHECK(found({}) == "");
  CHECK(found({}, true) == "");
  CHECK(found({}, false, {{Kind::forward, 10}}) == "");
  CHECK(found({.send_done = 14}) == "");  // the lane came to look later
}

TEST_CASE("A message that is recorded otherwise than it was carried is no evidence") {
  CHECK(found({.send_at = 7}) == "message");
  CHECK(found({.send_done = 10}) == "message");
  CHECK(found({.tag = 4}) == "message");
  CHECK(found({.bytes = 128}) == "message");
  CHECK(found({.peer = 0}) == "message");
  CHECK(found({.second_send = true}) == "message");
  CHECK(found({.no_receive = true}) == "message");
}

TEST_CASE("Under NCCL's rules a send leaves when the hidden buffer lets it, never earlier") {
  CHECK(found({.send_at = 7, .tag = trace::kNone}, true) == "");
  CHECK(found({.send_at = 12, .send_done = 14}, true) == "message");
}

TEST_CASE("Nothing begins or ends while its rank is asleep") {
  CHECK(found({.send_at = 9}) == "time");
  CHECK(found({.forward_ends = 8}) == "time");
}

TEST_CASE("A computation lasts what the lab says") {
  CHECK(found({.forward_ends = 7}, false, {{Kind::forward, 10}}) == "compute");
  CHECK(found({.forward_ends = 7}, false, {{Kind::backward, 10}}) == "");
}

TEST_CASE("What a send carried is what the hub hashed on its way, by the order of the messages, whatever the rank has recorded of it") {
  trace::Trace trace = recorded({.second_send = true});
  SimWitness seen = carried();
  auto& messages = seen.ranks[0].messages;
  messages.push_back(messages[0]);
  messages[0].contents = 0xA;
  messages[1].contents = 0xB;
  seen.ranks[1].messages[0].contents = 0xC;  // of no send
  const auto contents = check::contents_of(trace, seen, false);
  REQUIRE(contents.size() == 2);
  for (const auto& [span, hash] : contents) CHECK(trace.span(span).kind == Kind::send);
  CHECK(contents.begin()->second == 0xA);
  CHECK(std::next(contents.begin())->second == 0xB);
  messages[1].contents.reset();  // nobody has received it: its bytes never left
  CHECK(check::contents_of(trace, seen, true).size() == 1);
}
