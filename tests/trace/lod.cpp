// The level-of-detail index says the same as looking at every span.
#include "app/trace/lod.h"

#include <random>
#include <vector>

#include "tests/support/catch.h"

using namespace p2plab::trace;

namespace {

struct Filled {
  Row row;
  std::vector<Row::Leaf> spans;
};

// Spans of 0..99 ns, now and then 5000 ns, with gaps of 0..99 ns.
Filled filled(std::uint32_t n, unsigned seed) {
  Filled out;
  std::mt19937 random(seed);
  Ns t = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    t += static_cast<Ns>(random() % 100);
    const Ns length = random() % 50 == 0 ? 5000 : static_cast<Ns>(random() % 100);
    out.row.begin(i);
    out.row.end(i, t, t + length);
    out.spans.push_back({t, t + length, i});
    t += length;
  }
  return out;
}

Stretch looked_at_one_by_one(const std::vector<Row::Leaf>& spans, Ns begin, Ns end) {
  Stretch out;
  Ns longest = -1;
  for (const auto& s : spans) {
    if (s.end <= begin || s.begin >= end) continue;
    if (out.count++ == 0) out.begin = s.begin;
    out.end = s.end;
    out.busy_ns += std::min(s.end, end) - std::max(s.begin, begin);
    if (s.end - s.begin > longest) {
      longest = out.longest_ns = s.end - s.begin;
      out.longest = s.span;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("any stretch of a row has the count, the busy time and the longest span of its spans") {
  for (const std::uint32_t n : {0u, 1u, 7u, 8u, 9u, 64u, 513u, 5000u}) {
    const Filled filled_row = filled(n, n);
    const Ns length = n == 0 ? 100 : filled_row.spans.back().end;
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i) {
      Ns a = static_cast<Ns>(random() % static_cast<unsigned>(length + 200)) - 100;
      Ns b = static_cast<Ns>(random() % static_cast<unsigned>(length + 200)) - 100;
      if (a > b) std::swap(a, b);
      const Stretch got = filled_row.row.between(a, b);
      const Stretch want = looked_at_one_by_one(filled_row.spans, a, b);
      REQUIRE(got.count == want.count);
      REQUIRE(got.busy_ns == want.busy_ns);
      REQUIRE(got.longest == want.longest);
      REQUIRE(got.longest_ns == want.longest_ns);
      REQUIRE(got.begin == want.begin);
      REQUIRE(got.end == want.end);
    }
  }
}

TEST_CASE("drawing visits every span once, wide ones alone, and no more often than there are pixels") {
  const Filled filled_row = filled(20000, 3);
  const Ns end = filled_row.spans.back().end;
  for (const Ns resolution : {Ns{1}, Ns{50}, Ns{1000}, end / 700}) {
    std::size_t visits = 0, spans = 0, wide = 0, merged_wide = 0;
    Ns busy = 0, last = -1;
    filled_row.row.visit(0, end, resolution, [&](const Stretch& s) {
      ++visits;
      spans += s.count;
      busy += s.busy_ns;
      CHECK(s.begin >= last);
      last = s.end;
      if (s.longest_ns >= resolution) ++(s.count == 1 ? wide : merged_wide);
    });
    std::size_t want_wide = 0, want_spans = 0;
    Ns want_busy = 0;
    for (const auto& s : filled_row.spans) {
      if (s.end <= 0) continue;
      ++want_spans;
      want_busy += s.end - s.begin;
      want_wide += s.end - s.begin >= resolution ? 1 : 0;
    }
    CHECK(spans == want_spans);
    CHECK(busy == want_busy);
    CHECK(wide == want_wide);
    CHECK(merged_wide == 0);
    CHECK(visits <= 2 * static_cast<std::size_t>(end / resolution) + 2);
  }
}

TEST_CASE("a span that is still open is kept apart until it ends") {
  Row row;
  row.begin(7);
  CHECK(row.open() == 7);
  CHECK(row.size() == 0);
  CHECK_FALSE(row.may_begin(100));
  row.end(7, 10, 30);
  CHECK(row.open() == UINT32_MAX);
  CHECK(row.size() == 1);
  CHECK(row.may_begin(30));
  CHECK_FALSE(row.may_begin(29));
  CHECK(row.between(0, 100).longest == 7);
}
