// What cannot be recorded is counted, exactly, and leaves no false picture.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>

#include "app/trace/control.h"
#include "app/trace/error.h"
#include "tests/support/catch.h"
#include "tests/trace/feed_fixture.h"

using namespace p2plab;
using namespace p2plab::trace;

namespace {

// Exit status of `body` in a process of its own whose files may have `bytes` at most: as in a full /dev/shm, reserving
// more fails.
template <class Body>
int with_room_for(std::size_t bytes, Body&& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::_exit(body());
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("a full ring counts every record it could not take") {
  Feed feed(16);
  RingWriter* ring = feed.recorder.ring();
  Record record;
  record.type = RecordType::instant;
  for (int i = 0; i < 100; ++i) ring->push(record);
  CHECK(feed.poll() == 16);
  CHECK(feed.trace.dropped() == 84);
  for (int i = 0; i < 5; ++i) ring->push(record);
  CHECK(feed.poll() == 5);
  CHECK(feed.trace.dropped() == 84);
}

TEST_CASE("whatever the speeds of writer and reader, read and dropped add up, in order and intact") {
  for (const std::uint32_t slots : {16u, 256u, 4096u}) {
    Feed feed(slots);
    constexpr int kRecords = 200'000;
    std::atomic<bool> done{false};
    std::thread writer([&] {
      RingWriter* ring = feed.recorder.ring();
      Record record;
      record.type = RecordType::instant;
      for (int i = 0; i < kRecords; ++i) {
        record.name = static_cast<StringHandle>(0);
        record.kind = static_cast<Kind>(i % 11);
        record.flags = static_cast<std::uint8_t>(i % 7 == 0 ? kGroup : 0);
        ring->push(record);
      }
      done = true;
    });
    std::size_t read = 0;
    while (!done) read += feed.reader.poll(feed.trace, 1000);
    writer.join();
    while (const std::size_t moved = feed.poll()) read += moved;
    CHECK(read + feed.trace.dropped() == kRecords);
    CHECK(feed.trace.spans().size() == read);
    for (SpanId id = 1; id < feed.trace.spans().size(); ++id) {
      REQUIRE(feed.trace.span(id).begin >= feed.trace.span(id - 1).begin);
    }
  }
}

TEST_CASE("a span whose end was lost does not stay open above all that follows") {
  Feed feed(8);
  RingWriter* ring = feed.recorder.ring();
  const Record outer = feed.begin(*ring, "host", "outer");
  ring->push(outer);
  const Record flight = feed.begin(*ring, "in flight", "isend", kInFlight);
  ring->push(flight);
  for (int i = 0; i < 6; ++i) {
    Record mark = feed.begin(*ring, "host", "mark");
    mark.type = RecordType::instant;
    ring->push(mark);
  }
  ring->push(Feed::end_of(outer));  // no room
  feed.poll();
  CHECK(feed.trace.span(0).open());
  const Record next = feed.begin(*ring, "host", "next");
  ring->push(next);
  feed.poll();
  CHECK_FALSE(feed.trace.span(0).open());
  const Span& last = feed.trace.span(static_cast<SpanId>(feed.trace.spans().size() - 1));
  CHECK(feed.trace.name(last.name) == "next");
  CHECK(last.depth == 0);
  CHECK(feed.trace.span(1).open());  // the request in flight: another thread may have it
  CHECK(feed.trace.dropped() == 1);
}

TEST_CASE("an end whose begin was lost ends nothing") {
  Feed feed(4);
  RingWriter* ring = feed.recorder.ring();
  for (int i = 0; i < 4; ++i) {
    Record mark = feed.begin(*ring, "host", "mark");
    mark.type = RecordType::instant;
    ring->push(mark);
  }
  const Record lost = feed.begin(*ring, "host", "lost");
  ring->push(lost);
  feed.poll();
  ring->push(Feed::end_of(lost));
  CHECK(feed.poll() == 1);
  CHECK(feed.trace.spans().size() == 4);
}

TEST_CASE("threads beyond the table of rings record nothing, and each attempt is counted") {
  Feed feed(16);
  for (std::uint32_t i = 0; i < kMaxRings; ++i) REQUIRE(feed.other_ring("host") != nullptr);
  CHECK(feed.other_ring("host") == nullptr);
  CHECK(feed.other_ring("host") == nullptr);
  feed.poll();
  CHECK(feed.trace.threads().size() == kMaxRings);
  CHECK(feed.trace.dropped() == 2);
}

TEST_CASE("a full /dev/shm is an error for the feed and the control page, and no signal") {
  const TemporaryDir dir;
  const auto is_shm_full = [](auto&& make) {
    try {
      make();
    } catch (const Error& error) {
      return error.text().id == "job.shm_full" ? 0 : 2;
    }
    return 1;
  };
  CHECK(with_room_for(4096, [&] { return is_shm_full([&] { Recorder(dir.path(), 0, ClockScale()); }); }) == 0);
  CHECK(with_room_for(1024, [&] { return is_shm_full([&] { Control::create(dir.path(), 2, 1); }); }) == 0);
}

TEST_CASE("a /dev/shm that fills up later costs the thread its records, counted, and not the rank its life") {
  const TemporaryDir dir;
  const ClockScale clock = ClockScale::calibrate();
  const int status = with_room_for(kHeaderBytes + kStringBytes + 4096, [&] {
    Recorder recorder(dir.path(), 0, clock);
    return recorder.ring() == nullptr && recorder.ring() == nullptr ? 0 : 1;
  });
  CHECK(status == 0);
  FeedReader reader(dir.path(), 1, clock);
  Trace trace;
  CHECK(reader.poll(trace) == 0);
  CHECK(trace.dropped() == 2);
}
