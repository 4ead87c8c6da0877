// The live feed: what a rank records is what the lab reads.
#include <bit>
#include <fstream>

#include "app/trace/error.h"
#include "tests/support/catch.h"
#include "tests/trace/feed_fixture.h"

using namespace p2plab;
using namespace p2plab::trace;

TEST_CASE("a span recorded by a rank arrives with its lane, name and arguments") {
  Feed feed;
  RingWriter* ring = feed.recorder.ring("host");
  REQUIRE(ring != nullptr);
  Record record = feed.begin(*ring, "host", "send", kBlocking);
  record.kind = Kind::send;
  record.comm = feed.recorder.intern("WORLD");
  record.site = feed.recorder.site(std::source_location::current());
  record.peer = 1;
  record.tag = 7;
  record.bytes = 4096;
  record.request = 3;
  record.sequence = 4;
  record.microbatch = 5;
  record.chunk = 6;
  record.stage = 2;
  ring->push(record);
  CHECK(feed.poll() == 1);
  REQUIRE(feed.trace.spans().size() == 1);
  const Span& span = feed.trace.span(0);
  CHECK(span.open());
  CHECK(feed.trace.name(span.name) == "send");
  CHECK(feed.trace.name(feed.trace.tracks()[span.track].lane) == "host");
  CHECK(feed.trace.name(span.comm) == "WORLD");
  CHECK(feed.trace.name(span.site).find("tests/trace/feed.cpp:") != std::string::npos);
  CHECK(span.kind == Kind::send);
  CHECK(span.flags == kBlocking);
  CHECK(span.peer == 1);
  CHECK(span.tag == 7);
  CHECK(span.bytes == 4096);
  CHECK(span.request == 3);
  CHECK(span.sequence == 4);
  CHECK(span.microbatch == 5);
  CHECK(span.chunk == 6);
  CHECK(span.stage == 2);

  ring->push(Feed::end_of(record));
  CHECK(feed.poll() == 1);
  CHECK_FALSE(feed.trace.span(0).open());
  CHECK(feed.trace.span(0).end >= feed.trace.span(0).begin);
}

TEST_CASE("the reader looks seldom once records have come slowly for a while, and often again when they come fast") {
  Feed feed;
  RingWriter* ring = feed.recorder.ring();
  const Record post = feed.begin(*ring, "host", "send");
  for (int look = 0; look < 100; ++look) feed.poll();  // silence tells nothing
  CHECK(feed.reader.rest() == kLookEvery);
  for (int look = 0; look < 20; ++look) {
    ring->push(post);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    feed.poll();
  }
  CHECK(feed.reader.rest() == kLookSeldom);
  feed.poll();
  CHECK(feed.reader.rest() == kLookSeldom);
  for (int tries = 0; tries < 1000 && feed.reader.rest() == kLookSeldom; ++tries) {  // a look may come late on a busy machine
    for (int i = 0; i < 1000; ++i) ring->push(post);
    feed.poll();
  }
  CHECK(feed.reader.rest() == kLookEvery);
}

TEST_CASE("equal texts and equal call sites are stored once") {
  Feed feed;
  CHECK(feed.recorder.intern("a") == feed.recorder.intern("a"));
  CHECK(feed.recorder.intern("a") != feed.recorder.intern("b"));
  CHECK(feed.recorder.intern("") == 0);
  const auto here = std::source_location::current();
  const auto there = std::source_location::current();
  CHECK(feed.recorder.site(here) == feed.recorder.site(here));
  CHECK(feed.recorder.site(here) != feed.recorder.site(there));
}

TEST_CASE("a full table of texts loses names and nothing else") {
  Feed feed;
  RingWriter* ring = feed.recorder.ring();
  const StringHandle early = feed.recorder.intern("early");
  int stored = 0;
  while (feed.recorder.intern("text number " + std::to_string(stored)) != 0) ++stored;
  CHECK(stored > 1000);
  CHECK(feed.recorder.intern("early") == early);
  ring->push(feed.begin(*ring, "host", "early"));
  ring->push(feed.begin(*ring, "host", "too late"));
  CHECK(feed.poll() == 2);
  CHECK(feed.trace.name(feed.trace.span(0).name) == "early");
  CHECK(feed.trace.name(feed.trace.span(1).name).empty());
}

TEST_CASE("an operation posted by one thread and completed by another is one span") {
  Feed feed;
  RingWriter* host = feed.recorder.ring("host");
  RingWriter* comm = feed.other_ring("comm", "host");
  const Record post = feed.begin(*host, "in flight", "isend", kInFlight);
  host->push(post);
  comm->push(Feed::end_of(post));
  CHECK(feed.poll() == 2);
  REQUIRE(feed.trace.spans().size() == 1);
  CHECK_FALSE(feed.trace.span(0).open());
  REQUIRE(feed.trace.threads().size() == 2);
  CHECK(feed.trace.name(feed.trace.threads()[1].lane) == "comm");
  CHECK(feed.trace.name(feed.trace.threads()[1].owner) == "host");
}

TEST_CASE("requests one after the other share a row, though two threads wrote them and one poll read them") {
  Feed feed;
  RingWriter* host = feed.recorder.ring("host");
  RingWriter* comm = feed.other_ring("comm");
  for (int i = 0; i < 20; ++i) {
    const Record post = feed.begin(*host, "in flight", "isend", kInFlight);
    host->push(post);
    comm->push(Feed::end_of(post));
  }
  CHECK(feed.poll() == 40);
  const TrackId track = feed.trace.find_track(0, "in flight");
  REQUIRE(track != kNoIndex);
  CHECK(feed.trace.tracks()[track].rows.size() == 1);
}

TEST_CASE("an end that is read before its begin closes the span") {
  Feed feed;
  RingWriter* host = feed.recorder.ring("host");
  RingWriter* comm = feed.other_ring("comm");
  Record post = feed.begin(*host, "in flight", "isend", kInFlight);
  Record done = Feed::end_of(post);
  done.ticks = feed.clock.now();
  comm->push_stamped(done);
  CHECK(feed.poll() == 1);
  CHECK(feed.trace.spans().empty());
  post.ticks = done.ticks - 1000;
  host->push_stamped(post);
  CHECK(feed.poll() == 1);
  REQUIRE(feed.trace.spans().size() == 1);
  CHECK(feed.trace.span(0).end == feed.clock.to_ns(done.ticks));
}

TEST_CASE("a rank and a thread may appear while the lab is reading") {
  const TemporaryDir dir;
  const ClockScale clock = ClockScale::calibrate();
  FeedReader reader(dir.path(), 2, clock);
  Trace trace;
  CHECK(reader.poll(trace) == 0);
  Recorder recorder(dir.path(), 1, clock);
  RingWriter* host = recorder.ring("host");
  CHECK(reader.poll(trace) == 0);
  REQUIRE(trace.threads().size() == 1);
  CHECK(trace.threads()[0].rank == 1);
  RingWriter* comm = nullptr;
  std::thread([&] { comm = recorder.ring("comm"); }).join();
  Record record;
  record.type = RecordType::begin;
  record.id = comm->next_id();
  record.lane = recorder.intern("comm");
  comm->push(record);
  record.id = host->next_id();
  record.lane = recorder.intern("host");
  host->push(record);
  CHECK(reader.poll(trace) == 2);
  CHECK(trace.threads().size() == 2);
  CHECK(trace.ranks() == 2);
  CHECK(reader.finished() == 0);
  recorder.finished();
  reader.poll(trace);
  CHECK(reader.finished() == 1);
  CHECK(trace.threads()[0].state == ThreadState::exited);
}

TEST_CASE("a thread that serves two recorders has one ring in each") {
  const TemporaryDir dir;
  const ClockScale clock = ClockScale::calibrate();
  Recorder first(dir.path(), 0, clock), second(dir.path(), 1, clock);
  for (int i = 0; i < 10; ++i) {
    CHECK(first.ring() == first.ring());
    CHECK(second.ring() != first.ring());
  }
  FeedReader reader(dir.path(), 2, clock);
  Trace trace;
  reader.poll(trace);
  CHECK(trace.threads().size() == 2);
}

TEST_CASE("metrics, notes, hashes, events and what a wait waits for arrive") {
  Feed feed;
  RingWriter* ring = feed.recorder.ring();
  Record record = feed.begin(*ring, "host", "wait");
  record.kind = Kind::wait;
  ring->push(record);
  Record other;
  other.id = record.id;
  other.type = RecordType::wait_on;
  other.request = 12;
  ring->push(other);
  other.request = kNone;
  other.lane = feed.recorder.intern("comm");
  ring->push(other);
  other.lane = 0;
  other.type = RecordType::hash_post;
  other.value = 111;
  ring->push(other);
  ring->push(Feed::end_of(record));
  other.type = RecordType::hash_done;  // after the end: it is still known
  other.value = 222;
  ring->push(other);
  other.type = RecordType::metric;
  other.name = feed.recorder.intern("step_ns");
  other.value = std::bit_cast<std::uint64_t>(0.5);
  ring->push(other);
  other.type = RecordType::note;
  other.site = feed.recorder.intern("text");
  ring->push(other);
  feed.poll();
  REQUIRE(feed.trace.wait_targets().size() == 2);
  CHECK(feed.trace.wait_targets()[0].request == 12);
  CHECK(feed.trace.wait_targets()[1].track == feed.trace.find_track(0, "comm"));
  const Hashes& hashes = feed.trace.all_hashes().at(0);
  CHECK(hashes.post == 111);
  CHECK(hashes.done == 222);
  REQUIRE(feed.trace.metrics().size() == 1);
  CHECK(feed.trace.metrics()[0].value == 0.5);
  REQUIRE(feed.trace.notes().size() == 1);
  CHECK(feed.trace.name(feed.trace.notes()[0].text) == "text");
}

TEST_CASE("a thread counts as blocked only when all it recorded has been read") {
  Feed feed;
  RingWriter* ring = feed.recorder.ring();
  Record wait = feed.begin(*ring, "host", "wait");
  ring->push(wait);
  ring->blocked(wait.id);
  for (int i = 0; i < 5; ++i) ring->polled();
  feed.poll();
  CHECK(feed.trace.threads()[0].state == ThreadState::blocked);
  CHECK(feed.trace.threads()[0].wait_span == 0);
  CHECK(feed.trace.threads()[0].polls == 5);
  ring->push(Feed::end_of(wait));
  ring->push(feed.begin(*ring, "host", "next"));
  feed.reader.poll(feed.trace, 1);  // one record remains unread
  CHECK(feed.trace.threads()[0].state == ThreadState::running);
  CHECK(feed.trace.threads()[0].wait_span == kNoIndex);
}

TEST_CASE("no more is read than the budget, and no rank starves") {
  const TemporaryDir dir;
  const ClockScale clock = ClockScale::calibrate();
  Recorder loud(dir.path(), 0, clock), quiet(dir.path(), 1, clock);
  Record record;
  record.type = RecordType::instant;
  for (int i = 0; i < 5000; ++i) loud.ring()->push(record);
  for (int i = 0; i < 10; ++i) quiet.ring()->push(record);
  FeedReader reader(dir.path(), 2, clock);
  Trace trace;
  CHECK(reader.poll(trace, 100) == 100);
  CHECK(trace.find_track(1, "") != kNoIndex);
  std::size_t read = 100;
  while (const std::size_t moved = reader.poll(trace, 100)) {
    CHECK(moved <= 100);
    read += moved;
  }
  CHECK(read == 5010);
}

TEST_CASE("a ring that says it has gone back, or further than it is long, is read no further: a forked child writes on its parent's") {
  Feed feed;
  auto* ring = feed.recorder.ring("host");
  Record record;
  record.type = RecordType::instant;
  for (int i = 0; i < 10; ++i) ring->push(record);
  CHECK(feed.poll() == 10);
  ring->header().head.store(5);
  CHECK(feed.poll() == 0);
  ring->header().head.store(10 + 1025);
  CHECK(feed.poll() == 0);
  ring->header().head.store(11);
  CHECK(feed.poll() == 1);
}

TEST_CASE("a recorder that is off costs nothing and breaks nothing") {
  Recorder off;
  CHECK_FALSE(off.on());
  CHECK(off.ring() == nullptr);
  CHECK(off.intern("a") == 0);
  CHECK(off.site(std::source_location::current()) == 0);
  off.finished();
}

TEST_CASE("a feed of another version, another kind or another shape is refused") {
  const TemporaryDir dir;
  const ClockScale clock = ClockScale::calibrate();
  const auto path = dir / "rank-0.feed";
  const auto refused = [&] {
    FeedReader reader(dir.path(), 1, clock);
    Trace trace;
    try {
      reader.poll(trace);
    } catch (const Error& error) {
      return error.text().id == "trace.bad_feed";
    }
    return false;
  };
  const auto patch = [&](std::size_t offset, std::uint64_t value, std::streamsize size) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(offset));
    file.write(reinterpret_cast<const char*>(&value), size);
  };
  std::ofstream(path) << "short";
  CHECK(refused());
  std::filesystem::remove(path);
  {
    Recorder recorder(dir.path(), 0, clock);
    recorder.ring();
  }
  CHECK_FALSE(refused());
  patch(offsetof(FeedHeader, version), kFeedVersion + 1, 4);
  CHECK(refused());
  patch(offsetof(FeedHeader, version), kFeedVersion, 4);
  patch(offsetof(FeedHeader, magic), 1, 8);
  CHECK(refused());
  patch(offsetof(FeedHeader, magic), kFeedMagic, 8);
  const std::size_t ring = offsetof(FeedHeader, ring);
  patch(ring + offsetof(RingHeader, slots), 3, 4);  // not a power of two
  CHECK(refused());
  patch(ring + offsetof(RingHeader, slots), kRingSlots * 2, 4);  // beyond the end of the file
  CHECK(refused());
  patch(ring + offsetof(RingHeader, slots), kRingSlots, 4);
  CHECK_FALSE(refused());
}
