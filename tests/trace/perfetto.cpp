// A trace that was saved and opened again is the same trace.
#include "app/trace/perfetto.h"

#include <fstream>
#include <iterator>
#include <random>

#include "app/trace/atomic_file.h"
#include "app/trace/error.h"
#include "tests/support/catch.h"
#include "tests/trace/example_trace.h"
#include "tests/trace/temporary.h"

using namespace p2plab;
using namespace p2plab::trace;
namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Trace saved_and_opened(const Trace& trace) {
  const TemporaryDir dir;
  save_perfetto(trace, dir / "跟踪 a.pftrace");
  return open_perfetto(dir / "跟踪 a.pftrace");
}

// The error of opening a file with these bytes; "opened" if there was none.
std::string error_of(const TemporaryDir& dir, std::string_view bytes) {
  write_file(dir / "file", bytes);
  try {
    open_perfetto(dir / "file");
  } catch (const Error& error) {
    CHECK(error.exit_status() == 2);
    return error.text().id;
  }
  return "opened";
}

void check_same_spans(const Trace& a, const Trace& b) {
  static_assert(sizeof(Span) == 72, "a new field of Span has to be saved, opened and compared here");
  REQUIRE(a.spans().size() == b.spans().size());
  for (SpanId id = 0; id < a.spans().size(); ++id) {
    const Span& s = a.span(id);
    const Span& t = b.span(id);
    REQUIRE(s.begin == t.begin);
    REQUIRE(s.end == t.end);
    REQUIRE(s.track == t.track);
    REQUIRE(a.name(s.name) == b.name(t.name));
    REQUIRE(a.name(s.site) == b.name(t.site));
    REQUIRE(a.name(s.comm) == b.name(t.comm));
    REQUIRE(s.kind == t.kind);
    REQUIRE(s.flags == t.flags);
    REQUIRE(s.depth == t.depth);
    REQUIRE(s.chunk == t.chunk);
    REQUIRE(s.stage == t.stage);
    REQUIRE(s.peer == t.peer);
    REQUIRE(s.tag == t.tag);
    REQUIRE(s.request == t.request);
    REQUIRE(s.sequence == t.sequence);
    REQUIRE(s.microbatch == t.microbatch);
    REQUIRE(s.bytes == t.bytes);
  }
}

void check_same_tracks(const Trace& a, const Trace& b) {
  REQUIRE(a.tracks().size() == b.tracks().size());
  for (TrackId id = 0; id < a.tracks().size(); ++id) {
    const Track& s = a.tracks()[id];
    const Track& t = b.tracks()[id];
    REQUIRE(s.rank == t.rank);
    REQUIRE(a.name(s.lane) == b.name(t.lane));
    REQUIRE(s.spans == t.spans);
    REQUIRE(s.rows.size() == t.rows.size());
    for (std::size_t depth = 0; depth < s.rows.size(); ++depth) {
      REQUIRE(s.rows[depth].size() == t.rows[depth].size());
      REQUIRE(s.rows[depth].open() == t.rows[depth].open());
    }
  }
}

void check_same_rest(const Trace& a, const Trace& b) {
  REQUIRE(a.messages().size() == b.messages().size());
  for (std::size_t i = 0; i < a.messages().size(); ++i) {
    const Message& s = a.messages()[i];
    const Message& t = b.messages()[i];
    REQUIRE(s.send == t.send);
    REQUIRE(s.receive == t.receive);
    REQUIRE(s.send_return == t.send_return);
    REQUIRE(s.match == t.match);
    REQUIRE(s.completion == t.completion);
  }
  REQUIRE(a.wait_targets().size() == b.wait_targets().size());
  for (std::size_t i = 0; i < a.wait_targets().size(); ++i) {
    REQUIRE(a.wait_targets()[i].wait == b.wait_targets()[i].wait);
    REQUIRE(a.wait_targets()[i].request == b.wait_targets()[i].request);
    REQUIRE(a.wait_targets()[i].track == b.wait_targets()[i].track);
    REQUIRE(a.wait_targets()[i].event == b.wait_targets()[i].event);
  }
  REQUIRE(a.all_hashes().size() == b.all_hashes().size());
  for (const auto& [id, s] : a.all_hashes()) {
    const Hashes& t = b.all_hashes().at(id);
    REQUIRE(s.has_post == t.has_post);
    REQUIRE(s.has_done == t.has_done);
    if (s.has_post) REQUIRE(s.post == t.post);
    if (s.has_done) REQUIRE(s.done == t.done);
  }
  REQUIRE(a.metrics().size() == b.metrics().size());
  for (std::size_t i = 0; i < a.metrics().size(); ++i) {
    REQUIRE(a.metrics()[i].rank == b.metrics()[i].rank);
    REQUIRE(a.name(a.metrics()[i].name) == b.name(b.metrics()[i].name));
    REQUIRE(a.metrics()[i].value == b.metrics()[i].value);
  }
  REQUIRE(a.notes().size() == b.notes().size());
  for (std::size_t i = 0; i < a.notes().size(); ++i) {
    REQUIRE(a.notes()[i].rank == b.notes()[i].rank);
    REQUIRE(a.name(a.notes()[i].name) == b.name(b.notes()[i].name));
    REQUIRE(a.name(a.notes()[i].text) == b.name(b.notes()[i].text));
  }
  REQUIRE(a.events().size() == b.events().size());
  for (const auto& [event, s] : a.events()) {
    const EventMark& t = b.events().at(event);
    REQUIRE(s.track == t.track);
    REQUIRE(s.enqueued == t.enqueued);
    REQUIRE(s.reached == t.reached);
  }
  REQUIRE(a.threads().size() == b.threads().size());
  for (std::size_t i = 0; i < a.threads().size(); ++i) {
    const ThreadSample& s = a.threads()[i];
    const ThreadSample& t = b.threads()[i];
    REQUIRE(s.rank == t.rank);
    REQUIRE(a.name(s.lane) == b.name(t.lane));
    REQUIRE(a.name(s.owner) == b.name(t.owner));
    REQUIRE(s.state == t.state);
    REQUIRE(s.wait_span == t.wait_span);
    REQUIRE(s.polls == t.polls);
    REQUIRE(s.since == t.since);
    REQUIRE(s.newest_record == t.newest_record);
    REQUIRE(s.dropped == t.dropped);
  }
  REQUIRE(a.now() == b.now());
  REQUIRE(a.dropped() == b.dropped());
}

void check_same_run(const RunInfo& a, const RunInfo& b) {
  CHECK(a.command == b.command);
  CHECK(a.demo == b.demo);
  CHECK(a.backend == b.backend);
  CHECK(a.semantics == b.semantics);
  CHECK(a.link == b.link);
  CHECK(a.compute == b.compute);
  CHECK(a.version == b.version);
  CHECK(a.machine == b.machine);
  CHECK(a.mpi == b.mpi);
  CHECK(a.knobs == b.knobs);
  CHECK(a.ranks == b.ranks);
  CHECK(a.seed == b.seed);
  CHECK(a.strict == b.strict);
  CHECK(a.clock_error_ns == b.clock_error_ns);
}

}  // namespace

TEST_CASE("a saved trace opens with all it held, to the nanosecond and under the same ids") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Trace before = example_trace(seed);
    const Trace after = saved_and_opened(before);
    check_same_tracks(before, after);
    check_same_spans(before, after);
    check_same_rest(before, after);
    check_same_run(before.run, after.run);
  }
}

TEST_CASE("an empty trace can be saved and opened") {
  const Trace after = saved_and_opened(Trace());
  CHECK(after.spans().empty());
  CHECK(after.tracks().empty());
  CHECK(after.now() == 0);
}

TEST_CASE("counters that were saved with a trace become no lanes when it is opened") {
  const TemporaryDir dir;
  const Trace trace = example_trace(2, 10);
  const std::vector<Counter> counters{{0, "activations in flight", {{0, 1}, {5, 2}}}, {1, "activations in flight", {{3, 1}}}};
  save_perfetto(trace, dir / "counted", counters);
  CHECK(open_perfetto(dir / "counted").tracks().size() == trace.tracks().size());
}

TEST_CASE("a trace saved twice gives the same bytes, also after it was opened") {
  const TemporaryDir dir;
  const Trace trace = example_trace(3);
  save_perfetto(trace, dir / "a");
  save_perfetto(open_perfetto(dir / "a"), dir / "b");
  save_perfetto(open_perfetto(dir / "b"), dir / "c");
  CHECK(content(dir / "b") == content(dir / "c"));
}

TEST_CASE("a file that is cut off anywhere is refused") {
  const TemporaryDir dir;
  save_perfetto(example_trace(1, 40), dir / "whole");
  const std::string whole = content(dir / "whole");
  REQUIRE(whole.size() > 4000);
  for (std::size_t length = 0; length < whole.size(); length += length < 4000 ? 7 : 61) {
    const std::string id = error_of(dir, std::string_view(whole).substr(0, length));
    REQUIRE((id == "trace.truncated" || id == "trace.foreign"));
    if (length > 3000) REQUIRE(id == "trace.truncated");
  }
  CHECK(error_of(dir, whole) == "opened");
}

TEST_CASE("a damaged file is refused or opened, and never more than that") {
  const TemporaryDir dir;
  save_perfetto(example_trace(2, 60), dir / "whole");
  const std::string whole = content(dir / "whole");
  std::mt19937 random(1);
  for (int i = 0; i < 600; ++i) {
    std::string damaged = whole;
    for (int k = 0; k < 3; ++k) damaged[random() % damaged.size()] = static_cast<char>(random());
    const std::string id = error_of(dir, damaged);
    REQUIRE((id == "opened" || id == "trace.truncated" || id == "trace.foreign" || id == "trace.version"));
  }
}

TEST_CASE("files of others are named as such") {
  const TemporaryDir dir;
  CHECK(error_of(dir, "") == "trace.foreign");
  CHECK(error_of(dir, "{\"traceEvents\":[]}") == "trace.foreign");
  CHECK(error_of(dir, std::string("\x0A\x04\x40\x01\x50\x01", 6)) == "trace.foreign");  // a packet, but no run
  CHECK(error_of(dir, std::string(100000, '\x0A')) == "trace.foreign");
}

TEST_CASE("a later format is refused with both versions") {
  const TemporaryDir dir;
  save_perfetto(example_trace(1, 10), dir / "now");
  std::string bytes = content(dir / "now");
  const std::size_t at = bytes.find("p2plab.trace/1");
  REQUIRE(at != std::string::npos);
  bytes[at + 13] = '9';
  write_file(dir / "later", bytes);
  try {
    open_perfetto(dir / "later");
    FAIL("opened");
  } catch (const Error& error) {
    CHECK(error.text().id == "trace.version");
    CHECK(std::string(error.what()).find("found=9 wanted=1") != std::string::npos);
  }
}

TEST_CASE("a missing file, a folder and an unwritable place are each one error") {
  const TemporaryDir dir;
  CHECK_THROWS_AS(open_perfetto(dir / "none"), Error);
  CHECK_THROWS_AS(open_perfetto(dir.path()), Error);
  CHECK_THROWS_AS(save_perfetto(Trace(), dir / "none" / "a"), Error);
}
