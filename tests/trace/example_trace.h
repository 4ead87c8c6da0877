// A trace that uses everything a trace can hold, the same for the same seed.
#pragma once
#include <random>
#include <string>
#include <vector>

#include "app/trace/trace.h"

inline p2plab::trace::Trace example_trace(unsigned seed, int spans = 300) {
  using namespace p2plab::trace;
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Trace trace;
  trace.run = {"p2plab run pipeline --seed 7",
               "pipeline",
               "host",
               "mpi",
               "ib-ndr",
               "paced",
               "0.1.0",
               "测试机, 2 cores",
               "MPICH 4.0.2",
               {{"schedule", "1f1b"}, {"说明", "“引号” \\ \""}},
               3,
               7,
               true,
               120};
  const char* lanes[] = {"host", "compute", "comm", "in flight"};
  std::vector<SpanId> open;
  Ns now = 0;
  for (int i = 0; i < spans; ++i) {
    now += below(2000);
    Span span;
    const int lane = below(4);
    span.track = trace.track(below(3), trace.intern(lanes[lane]));
    span.begin = now - (below(5) == 0 ? below(500) : 0);  // some arrive late
    if (span.begin < 0) span.begin = 0;
    span.kind = static_cast<Kind>(below(11));
    span.flags = static_cast<std::uint8_t>(lane == 3 ? kInFlight | below(2) * kBlocking
                                                     : below(2) * kBlocking | below(2) * kGroup);
    if (below(3) != 0) span.name = trace.intern("name " + std::to_string(below(20)));
    if (below(3) == 0) span.site = trace.intern("demos/示例.cpp:" + std::to_string(below(50)));
    if (below(3) == 0) span.comm = trace.intern("WORLD");
    if (below(2) == 0) {
      span.peer = below(3);
      span.tag = below(100000);
      span.bytes = (std::uint64_t{random()} << 20) + 1;
      span.request = static_cast<std::int32_t>(random() & 0x7FFFFFFF);
      span.sequence = below(1000);
    }
    if (below(2) == 0) {
      span.microbatch = below(8);
      span.chunk = static_cast<std::int16_t>(below(4));
      span.stage = static_cast<std::int16_t>(below(4));
    }
    const SpanId id = trace.begin(span);
    open.push_back(id);
    if (span.kind == Kind::wait) {
      trace.add(WaitTarget{id, below(100), kNoIndex, 0});
      const Track& track = trace.tracks()[span.track];
      trace.add(WaitTarget{id, kNone, trace.find_track(track.rank, trace.name(track.lane)),
                           static_cast<std::uint64_t>(below(5))});
    }
    if (below(4) == 0) trace.hashes(id) = {std::uint64_t{random()} << 32 | random(), random(), true, below(2) == 0};
    while (!open.empty() && below(2) == 0) {
      const auto which = static_cast<std::ptrdiff_t>(below(static_cast<int>(open.size())));
      trace.end(open[static_cast<std::size_t>(which)], now + below(100));
      open.erase(open.begin() + which);
    }
  }
  for (int i = 0; i + 1 < spans; i += 7) {
    const auto send = static_cast<SpanId>(i), receive = static_cast<SpanId>((i * 5 + 1) % spans);
    trace.messages().push_back({send, receive, now + i, i % 2 == 0 ? kOpen : now, now + 2 * i});
  }
  if (spans > 3) trace.messages().push_back({1, kNoIndex, 5, kOpen, kOpen});
  trace.add(Metric{0, trace.intern("bubble_ratio"), 0.1 + 0.2});
  trace.add(Metric{2, trace.intern("step_ns"), -1e300});
  trace.add(Note{1, trace.intern("mpi"), trace.intern("MPICH 4.0.2\nline \x01 two")});
  trace.event_recorded(1, 42, trace.track(1, trace.intern("comm")), 1234);
  trace.event_reached(1, 42, 2345);
  trace.event_recorded(1, 43, trace.track(1, trace.intern("compute")), 1300);
  trace.event_reached(2, 7, 99);
  trace.threads().push_back(
      {0, trace.intern("host"), 0, ThreadState::blocked, spans > 3 ? 3u : kNoIndex, 12345678901, 17, 99, 3});
  trace.threads().push_back({2, trace.intern("comm"), trace.intern("host"), ThreadState::idle, kNoIndex, 0, 0, 5, 0});
  trace.unrecorded(1, 5);
  trace.saw(now + 5000);
  return trace;
}
