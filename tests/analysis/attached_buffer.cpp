// Buffered sends against the size of the buffer they share, on traces written by hand.
#include "app/analysis/attached_buffer.h"

#include "app/analysis/matching.h"
#include "tests/analysis/hand_made.h"
#include "tests/support/catch.h"

using namespace p2plab;

namespace {

constexpr std::uint64_t kBytes = 64, kOverhead = 96;

/// Rank 0 has a buffer of this size from time 1 on.
hand_made::Run attached(std::uint64_t size) {
  hand_made::Run run(2);
  trace::Span span;
  span.begin = 1;
  span.end = 2;
  span.track = run.trace.track(0, run.trace.intern("host"));
  span.name = run.trace.intern("MPI_Buffer_attach");
  span.detail = run.trace.intern(std::to_string(kOverhead));
  span.bytes = size;
  run.trace.begin(span);
  return run;
}

hand_made::Op bsend(hand_made::Run& run, trace::Ns at) {
  const hand_made::Op op = run.post(0, trace::Kind::send, 1, 0, at, {.bytes = kBytes, .name = "MPI_Bsend"});
  run.complete(op, at + 1);
  return op;
}
void receive(hand_made::Run& run, trace::Ns at) { run.complete(run.post(1, trace::Kind::receive, 0, 0, at, {.bytes = kBytes, .name = "MPI_Recv"}), at + 1); }

std::size_t findings(hand_made::Run& run) {
  analysis::Matcher matcher;
  matcher.update(run.trace);
  return analysis::attached_buffer_findings(run.trace).size();
}

}  // namespace

TEST_CASE("two buffered messages at once need room for both, with the overhead of each") {
  for (const auto& [size, wanted] : {std::pair<std::uint64_t, std::size_t>{2 * (kBytes + kOverhead), 0}, {2 * kBytes + kOverhead, 1}, {kBytes + kOverhead, 1}}) {
    hand_made::Run run = attached(size);
    bsend(run, 10), bsend(run, 20);
    receive(run, 30), receive(run, 40);
    CHECK(findings(run) == wanted);
  }
}

TEST_CASE("a buffered message whose receive was posted before the next one needs no room beside it") {
  hand_made::Run run = attached(kBytes + kOverhead);
  bsend(run, 10);
  receive(run, 15);
  bsend(run, 20);
  receive(run, 30);
  CHECK(findings(run) == 0);
}

TEST_CASE("detaching the buffer empties it, and of a buffer of unknown size nothing is said") {
  hand_made::Run run = attached(kBytes + kOverhead);
  bsend(run, 10);
  run.span(0, trace::Kind::wait, 12, 14, {.name = "MPI_Buffer_detach"});
  bsend(run, 20), bsend(run, 30);
  CHECK(findings(run) == 0);
}
