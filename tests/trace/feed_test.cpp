// The live feed: what a rank records is what the lab reads.
#include <unistd.h>

#include <filesystem>
#include <string>

#include "app/trace/feed_reader.h"
#include "app/trace/recorder.h"
#include "tests/support/catch.h"

using namespace p2plab::trace;

namespace {
struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("p2plab-test-" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directory(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};
}  // namespace

TEST_CASE("a span recorded by a rank arrives with its lane, name and arguments") {
  const Folder folder;
  const ClockScale clock = ClockScale::calibrate();
  Recorder recorder(folder.path, 0, clock);
  RingWriter* ring = recorder.ring("host");
  REQUIRE(ring != nullptr);
  Record record;
  record.type = RecordType::begin;
  record.kind = Kind::send;
  record.id = ring->next_id();
  record.lane = recorder.intern("host");
  record.name = recorder.intern("send");
  record.peer = 1;
  record.tag = 7;
  record.bytes = 4096;
  ring->push(record);

  FeedReader reader(folder.path, 1, clock);
  Trace trace;
  CHECK(reader.poll(trace) == 1);
  REQUIRE(trace.spans().size() == 1);
  const Span& span = trace.span(0);
  CHECK(span.open());
  CHECK(trace.name(span.name) == "send");
  CHECK(trace.name(trace.tracks()[span.track].lane) == "host");
  CHECK(span.peer == 1);
  CHECK(span.tag == 7);
  CHECK(span.bytes == 4096);

  record.type = RecordType::end;
  ring->push(record);
  reader.poll(trace);
  CHECK_FALSE(trace.span(0).open());
  CHECK(trace.span(0).end >= trace.span(0).begin);
}
