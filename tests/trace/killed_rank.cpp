// The feed outlives the rank: whatever ended it, all it recorded can be read.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/catch.h"
#include "tests/trace/feed_fixture.h"

using namespace p2plab::trace;

namespace {

// A rank in a process of its own; `body` records, then the rank is killed the moment it says so or after `bytes` of
// say.
struct Rank {
  pid_t pid = -1;
  int said = -1;

  template <class Body>
  Rank(const TemporaryDir& dir, const ClockScale& clock, Body&& body) {
    int pipe_ends[2];
    REQUIRE(::pipe(pipe_ends) == 0);
    pid = ::fork();
    if (pid == 0) {
      Recorder recorder(dir.path(), 0, clock, 1u << 16);
      body(recorder, pipe_ends[1]);
      for (;;) ::pause();
    }
    ::close(pipe_ends[1]);
    said = pipe_ends[0];
  }
  ~Rank() {
    kill();
    ::close(said);
  }
  void wait_for_word() const {
    char word = 0;
    REQUIRE(::read(said, &word, 1) == 1);
  }
  void kill() {
    if (pid <= 0) return;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    pid = -1;
  }
};

Record span_of(Recorder& recorder, RingWriter& ring, std::int32_t number) {
  Record record;
  record.type = RecordType::begin;
  record.id = ring.next_id();
  record.lane = recorder.intern("host");
  record.microbatch = number;
  return record;
}

void say(int to) {
  if (::write(to, "x", 1) != 1) ::_exit(3);
}

}  // namespace

TEST_CASE("one poll after SIGKILL shows every span up to the last record, and the open one as open") {
  const TemporaryDir dir;
  const ClockScale clock = ClockScale::calibrate();
  constexpr std::int32_t kSpans = 1000;
  Rank rank(dir, clock, [&](Recorder& recorder, int to) {
    RingWriter* ring = recorder.ring();
    for (std::int32_t i = 0; i < kSpans; ++i) {
      const Record begin = span_of(recorder, *ring, i);
      ring->push(begin);
      ring->push(Feed::end_of(begin));
    }
    const Record last = span_of(recorder, *ring, kSpans);
    ring->push(last);
    ring->blocked(last.id);
    say(to);
  });
  rank.wait_for_word();
  rank.kill();
  FeedReader reader(dir.path(), 1, clock);
  Trace trace;
  CHECK(reader.poll(trace) == 2 * kSpans + 1);
  REQUIRE(trace.spans().size() == kSpans + 1);
  for (SpanId id = 0; id < kSpans; ++id) {
    REQUIRE(trace.span(id).microbatch == static_cast<std::int32_t>(id));
    REQUIRE_FALSE(trace.span(id).open());
  }
  CHECK(trace.span(kSpans).open());
  CHECK(trace.threads()[0].wait_span == kSpans);
  CHECK(trace.dropped() == 0);
}

TEST_CASE("a rank killed in mid-record leaves whole records only, none missing in between") {
  const ClockScale clock = ClockScale::calibrate();
  // A reader that is not given the processor would let the ring fill, and what is dropped then is no fault of the kill.
  constexpr std::int32_t kFitTheRing = (1 << 16) / 2 - 1;
  for (int attempt = 0; attempt < 10; ++attempt) {
    const TemporaryDir dir;
    Rank rank(dir, clock, [&](Recorder& recorder, int to) {
      RingWriter* ring = recorder.ring();
      for (std::int32_t i = 0; i < kFitTheRing; ++i) {
        const Record begin = span_of(recorder, *ring, i);
        ring->push(begin);
        ring->push(Feed::end_of(begin));
        if (i == 100) say(to);
      }
    });
    rank.wait_for_word();
    FeedReader reader(dir.path(), 1, clock);
    Trace trace;
    reader.poll(trace);  // reads while the rank writes, and then no more until it is dead
    rank.kill();
    while (reader.poll(trace) != 0) {
    }
    REQUIRE(trace.dropped() == 0);
    REQUIRE(trace.spans().size() > 100);
    for (SpanId id = 0; id < trace.spans().size(); ++id) {
      const Span& span = trace.span(id);
      REQUIRE(span.microbatch == static_cast<std::int32_t>(id));
      if (id + 1 < trace.spans().size()) REQUIRE_FALSE(span.open());
    }
  }
}
