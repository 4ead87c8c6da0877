// What the layout decides to draw.
#include "app/report/timeline_layout.h"

#include <cmath>

#include "app/report/placement.h"
#include "tests/support/catch.h"
#include "tests/support/synthetic_trace.h"

using namespace p2plab;
using report::Block;
using report::Row;
using report::View;
using trace::Kind;

namespace {

trace::SpanId add(trace::Trace& t, int rank, const char* lane, trace::Ns begin, trace::Ns end, Kind kind = Kind::compute) {
  trace::Span span;
  span.track = t.track(rank, t.intern(lane));
  span.begin = begin;
  span.end = end;
  span.kind = kind;
  return t.begin(span);
}

const Row& row(const std::vector<Row>& rows, int rank, const std::string& lane) {
  for (const Row& r : rows)
    if (r.rank == rank && r.lane == lane) return r;
  throw std::runtime_error("no such row");
}

}  // namespace

TEST_CASE("rows stand by rank, then host, compute, comm, other streams, in flight") {
  trace::Trace t;
  for (const char* lane : {"in flight", "aux", "comm", "compute", "host"}) {
    add(t, 1, lane, 0, 10);
    add(t, 0, lane, 0, 10);
  }
  std::vector<std::string> seen;
  for (const Row& r : report::layout(t, {0, 20, 100, 1})) seen.push_back(std::to_string(r.rank) + r.lane);
  CHECK(seen == std::vector<std::string>{"0host", "0compute", "0comm", "0aux", "0in flight", "1host", "1compute", "1comm", "1aux", "1in flight"});
}

TEST_CASE("a wide span is one block at its place") {
  trace::Trace t;
  const auto id = add(t, 0, "compute", 250, 500, Kind::forward);
  const auto rows = report::layout(t, {0, 1000, 400, 3});
  REQUIRE(rows.size() == 1);
  REQUIRE(rows[0].blocks.size() == 1);
  const Block& b = rows[0].blocks[0];
  CHECK(b.x0 == Approx(100));
  CHECK(b.x1 == Approx(200));
  CHECK(b.span == id);
  CHECK(b.kind == Kind::forward);
  CHECK(b.count == 1);
  CHECK(b.busy == 1);
  CHECK_FALSE(b.open);
}

TEST_CASE("narrow neighbours merge and the block says how busy they are") {
  trace::Trace t;
  // 1000 spans of 5 ns every 10 ns on 100 pixels: half busy, 100 ns a pixel.
  for (int i = 0; i < 1000; ++i) add(t, 0, "host", i * 10, i * 10 + 5);
  const auto rows = report::layout(t, {0, 10'000, 100, 4});
  std::size_t count = 0;
  for (const Block& b : rows[0].blocks) {
    count += b.count;
    CHECK(b.busy == Approx(0.5).margin(0.02));
    CHECK(b.x1 - b.x0 <= 4.01);
  }
  CHECK(count == 1000);
  CHECK(rows[0].blocks.size() == 25);
}

TEST_CASE("a stretch that is nearly idle and one that is nearly full do not look the same") {
  trace::Trace t;
  for (int i = 0; i < 100; ++i) add(t, 0, "host", i * 100, i * 100 + 5);
  for (int i = 100; i < 200; ++i) add(t, 0, "host", i * 100, i * 100 + 95);
  const auto blocks = report::layout(t, {0, 20'000, 20, 3})[0].blocks;
  REQUIRE(blocks.size() > 2);
  CHECK(blocks.front().busy < 0.1);
  CHECK(blocks.back().busy > 0.9);
}

TEST_CASE("a merged block is named after the longest span in it") {
  trace::Trace t;
  add(t, 0, "host", 0, 10, Kind::send);
  const auto longest = add(t, 0, "host", 10, 60, Kind::receive);
  add(t, 0, "host", 60, 80, Kind::send);
  const auto blocks = report::layout(t, {0, 10'000, 100, 3})[0].blocks;
  REQUIRE(blocks.size() == 1);
  CHECK(blocks[0].span == longest);
  CHECK(blocks[0].kind == Kind::receive);
  CHECK(blocks[0].count == 3);
}

TEST_CASE("a wide span after narrow ones in the same stretch stays alone") {
  trace::Trace t;
  add(t, 0, "host", 0, 10);
  add(t, 0, "host", 20, 30);
  const auto wide = add(t, 0, "host", 40, 5000);
  const auto blocks = report::layout(t, {0, 10'000, 100, 3})[0].blocks;
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].count == 2);
  CHECK(blocks[1].span == wide);
}

TEST_CASE("the shortest span can still be seen, wherever it is") {
  trace::Trace t;
  add(t, 0, "host", 500, 501);
  const auto blocks = report::layout(t, {0, 1'000'000, 1000, 3})[0].blocks;
  REQUIRE(blocks.size() == 1);
  CHECK(blocks[0].x1 - blocks[0].x0 >= 2);
  CHECK(blocks[0].busy == 1);
}

TEST_CASE("nested spans stand in sub-rows of their depth") {
  trace::Trace t;
  synthetic::Builder builder(t);
  for (const auto& [begin, end] : {std::pair{0, 100}, {10, 90}, {20, 30}, {40, 50}}) {
    trace::Span s;
    s.begin = begin;
    s.end = end;
    builder.add(0, "host", s);
  }
  builder.replay();
  const auto rows = report::layout(t, {0, 100, 1000, 3});
  REQUIRE(rows[0].depths == 3);
  std::vector<int> depths;
  for (const Block& b : rows[0].blocks) depths.push_back(b.depth);
  CHECK(depths == std::vector<int>{0, 1, 2, 2});
}

TEST_CASE("an open span reaches to the newest instant and is marked open") {
  const trace::Trace t = synthetic::deadlock();
  const auto rows = report::layout(t, {0, 24'000'000, 240, 3});
  const Row& host = row(rows, 0, "host");
  const auto open = std::find_if(host.blocks.begin(), host.blocks.end(), [](const Block& b) { return b.kind == Kind::send; });
  REQUIRE(open != host.blocks.end());
  CHECK(open->open);
  CHECK(open->x1 == Approx(120));
}

TEST_CASE("operations in flight may overlap: each has a sub-row, folded they share one") {
  const trace::Trace t = synthetic::pipeline();
  const auto shown = report::rows(t);
  const Row& flight = row(shown, 1, "in flight");
  CHECK(flight.in_flight);
  CHECK(flight.depths > 1);
  const auto folded = report::rows(t, {.in_flight = true, .fold_in_flight = true});
  CHECK(row(folded, 1, "in flight").depths == 1);
  Row copy = row(folded, 1, "in flight");
  report::fill(t, report::whole(t, 1000), copy);
  CHECK_FALSE(copy.blocks.empty());
  for (const Block& b : copy.blocks) CHECK(b.depth == 0);
}

TEST_CASE("panning does not change how spans merge") {
  const trace::Trace t = synthetic::dense(20'000, 1);
  const auto counts = [&](trace::Ns shift) {
    std::map<trace::SpanId, std::uint32_t> out;
    const auto rows = report::layout(t, {shift, shift + 10'000'000, 1000, 3});
    for (const Block& b : rows[0].blocks)
      if (b.x0 > 10 && b.x1 < 900) out[b.span] = b.count;
    return out;
  };
  const auto still = counts(0), moved = counts(370'000);
  std::size_t compared = 0;
  for (const auto& [span, count] : moved)
    if (const auto it = still.find(span); it != still.end()) {
      CHECK(it->second == count);
      ++compared;
    }
  CHECK(compared > 100);
}

TEST_CASE("what is drawn is bounded by pixels, not by spans") {
  const trace::Trace t = synthetic::dense(300'000, 4);
  const auto rows = report::layout(t, report::whole(t, 1200));
  std::size_t blocks = 0, spans = 0;
  for (const Row& r : rows)
    for (const Block& b : r.blocks) {
      ++blocks;
      spans += b.count;
    }
  CHECK(spans == 300'000);
  CHECK(blocks <= rows.size() * 2 * 401);
}

TEST_CASE("blocks stay near the view however far their spans reach") {
  trace::Trace t;
  add(t, 0, "host", 0, 1'000'000'000'000);
  const auto blocks = report::layout(t, {500'000'000'000, 500'000'000'100, 1000, 3})[0].blocks;
  REQUIRE(blocks.size() == 1);
  CHECK(blocks[0].x0 >= -16);
  CHECK(blocks[0].x0 < 0);
  CHECK(blocks[0].x1 > 1000);
  CHECK(blocks[0].x1 <= 1016);
}

TEST_CASE("labels say the piece of work, else the call, else the kind") {
  trace::Trace t;
  trace::Span s;
  s.kind = Kind::forward;
  s.microbatch = 3;
  CHECK(report::label(t, s) == "F3");
  s.kind = Kind::backward;
  s.chunk = 1;
  CHECK(report::label(t, s) == "B3.1");
  s = {};
  s.kind = Kind::send;
  CHECK(report::label(t, s) == "send");
  s.name = t.intern("MPI_Send");
  CHECK(report::label(t, s) == "MPI_Send");
}

TEST_CASE("the block under the cursor is found, also beside a narrow one, and not between rows") {
  trace::Trace t;
  add(t, 0, "host", 100, 200);
  const auto narrow = add(t, 0, "host", 500, 501);
  const auto rows = report::layout(t, {0, 1000, 1000, 3});
  const auto placement = report::place(rows);
  const double y = placement.rows[0].y + 5;
  REQUIRE(report::pick(rows, placement, 150, y));
  CHECK(report::pick(rows, placement, 150, y)->block == 0U);
  const auto near = report::pick(rows, placement, 498.5, y);
  REQUIRE(near);
  REQUIRE(near->block);
  CHECK(rows[0].blocks[*near->block].span == narrow);
  CHECK_FALSE(report::pick(rows, placement, 300, y)->block);
  CHECK_FALSE(report::pick(rows, placement, 150, placement.rows[0].header_y + 1));
  CHECK_FALSE(report::pick(rows, placement, 150, placement.height + 50));
}

TEST_CASE("a rank's header stands above its first lane only") {
  const trace::Trace t = synthetic::pipeline();
  const auto rows = report::rows(t);
  const auto placement = report::place(rows);
  int headers = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    headers += placement.rows[i].header;
    if (i > 0) CHECK(placement.rows[i].y >= placement.rows[i - 1].y + placement.rows[i - 1].height);
  }
  CHECK(headers == 4);
}

TEST_CASE("rows draw together to fit, but not below what can be read") {
  const trace::Trace t = synthetic::pipeline();
  const auto rows = report::rows(t, {.in_flight = true, .fold_in_flight = true});
  const double loose = report::place(rows).height, tight = report::place(rows, 1, report::kCompactRows).height;
  REQUIRE(tight < loose);
  const double room = (loose + tight) / 2;
  CHECK(report::place_within(rows, 1, loose + 10).height == loose);
  CHECK(report::place_within(rows, 1, room).height == Approx(room));
  CHECK(report::place_within(rows, 1, 10).height == tight);
}

TEST_CASE("the whole of a run begins with its first span, not with the start of its processes") {
  trace::Trace t;
  add(t, 0, "host", 400'000'000, 410'000'000);
  add(t, 1, "host", 401'000'000, trace::kOpen);
  t.saw(420'000'000);
  const View view = report::whole(t, 100);
  CHECK(view.begin < 400'000'000);
  CHECK(view.begin > 399'000'000);
  CHECK(view.end > 420'000'000);
  CHECK(view.end < 421'000'000);
  CHECK(report::first_begin(trace::Trace()) == 0);
}
