// Traces made up for tests and benches: a 1F1B pipeline with its messages, and rows full of short spans.
#pragma once
#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "app/trace/trace.h"

namespace p2plab::synthetic {

using trace::Kind;
using trace::Ns;

/// Appends closed spans as a live run would: begins and ends in the order of time.
class Builder {
 public:
  explicit Builder(trace::Trace& trace) : trace_(trace) {}
  /// Returns the span's place in the order of add(); ids are known after replay().
  std::size_t add(int rank, const std::string& lane, trace::Span span) {
    span.track = trace_.track(rank, trace_.intern(lane));
    if (span.track < trace_.tracks().size() && trace_.tracks()[span.track].lane == trace_.in_flight_lane()) span.flags |= trace::kInFlight;
    spans_.push_back(span);
    return spans_.size() - 1;
  }
  std::vector<trace::SpanId> replay() {
    struct Instant {
      Ns at;
      bool begins;
      std::size_t span;
    };
    std::vector<Instant> instants;
    for (std::size_t i = 0; i < spans_.size(); ++i) {
      instants.push_back({spans_[i].begin, true, i});
      if (!spans_[i].open()) instants.push_back({spans_[i].end, false, i});
    }
    std::stable_sort(instants.begin(), instants.end(), [](const Instant& a, const Instant& b) {
      return a.at != b.at ? a.at < b.at : a.begins < b.begins;
    });
    std::vector<trace::SpanId> ids(spans_.size());
    for (const Instant& instant : instants) {
      if (instant.begins) {
        trace::Span span = spans_[instant.span];
        span.end = trace::kOpen;
        ids[instant.span] = trace_.begin(span);
      } else {
        trace_.end(ids[instant.span], instant.at);
      }
    }
    return ids;
  }

 private:
  trace::Trace& trace_;
  std::vector<trace::Span> spans_;
};

struct Pipeline {
  int stages = 4, microbatches = 8;
  Ns forward = 4'000'000, backward = 8'000'000;
  Ns call = 150'000, transfer = 900'000;  ///< of a send or receive call, and of the bytes
  std::uint64_t bytes = 65536;
};

/// Computed on paper: every stage starts its next piece as soon as it is free and its input has come.
inline trace::Trace pipeline(const Pipeline& p = {}) {
  trace::Trace trace;
  trace.run.demo = "pipeline";
  trace.run.backend = "host";
  trace.run.semantics = "mpi";
  trace.run.compute = "paced";
  trace.run.link = "raw";
  trace.run.mpi = "MPICH 4.0.2";
  trace.run.ranks = p.stages;
  trace.run.seed = 1;
  trace.run.knobs = {{"schedule", "1f1b"}, {"communication", "overlapped"}, {"microbatches", std::to_string(p.microbatches)}};
  Builder builder(trace);

  struct Piece {
    Kind kind;
    int microbatch;
  };
  std::vector<std::vector<Piece>> plan(static_cast<std::size_t>(p.stages));
  for (int s = 0; s < p.stages; ++s) {
    const int warmup = std::min(p.microbatches, p.stages - s - 1);
    auto& steps = plan[static_cast<std::size_t>(s)];
    for (int i = 0; i < warmup; ++i) steps.push_back({Kind::forward, i});
    for (int i = warmup; i < p.microbatches; ++i) {
      steps.push_back({Kind::forward, i});
      steps.push_back({Kind::backward, i - warmup});
    }
    for (int i = p.microbatches - warmup; i < p.microbatches; ++i) steps.push_back({Kind::backward, i});
  }

  std::map<std::tuple<int, Kind, int>, Ns> arrival;  // (stage, kind, microbatch): input is there
  for (int i = 0; i < p.microbatches; ++i) {
    arrival[{0, Kind::forward, i}] = 0;
    arrival[{p.stages - 1, Kind::backward, i}] = 0;
  }
  std::vector<std::size_t> next(static_cast<std::size_t>(p.stages), 0);
  std::vector<Ns> free(static_cast<std::size_t>(p.stages), 0);
  std::vector<std::pair<std::size_t, std::size_t>> messages;
  std::vector<Ns> completions;
  int request = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (int s = 0; s < p.stages; ++s) {
      const auto at = static_cast<std::size_t>(s);
      while (next[at] < plan[at].size()) {
        const Piece piece = plan[at][next[at]];
        const auto input = arrival.find({s, piece.kind, piece.microbatch});
        if (input == arrival.end()) break;
        const bool forward = piece.kind == Kind::forward;
        trace::Span work;
        work.begin = std::max(free[at], input->second);
        if (work.begin > free[at]) {
          trace::Span wait;
          wait.kind = Kind::wait;
          wait.name = trace.intern("event.wait");
          wait.begin = free[at];
          wait.end = work.begin;
          builder.add(s, "compute", wait);
        }
        work.end = work.begin + (forward ? p.forward : p.backward);
        work.kind = piece.kind;
        work.microbatch = piece.microbatch;
        work.stage = static_cast<std::int16_t>(s);
        work.flags = trace::kPaced;
        work.site = trace.intern(forward ? "pipeline.cpp:44" : "pipeline.cpp:47");
        builder.add(s, "compute", work);
        free[at] = work.end;
        ++next[at];
        moved = true;
        const int to = s + (forward ? 1 : -1);
        if (to < 0 || to >= p.stages) continue;
        const Ns arrived = work.end + p.transfer;
        arrival[{to, piece.kind, piece.microbatch}] = arrived;
        const auto operation = [&](int rank, const char* lane, Kind kind, const char* name, int peer, Ns begin, Ns end, int id) {
          trace::Span span;
          span.kind = kind;
          span.name = trace.intern(name);
          span.comm = trace.intern("world");
          span.site = trace.intern("pipeline.cpp:45");
          span.peer = peer;
          span.tag = piece.microbatch;
          span.microbatch = piece.microbatch;
          span.bytes = p.bytes;
          span.request = id;
          span.begin = begin;
          span.end = end;
          return builder.add(rank, lane, span);
        };
        const int out = request++, in = request++;
        operation(s, "comm", Kind::send, "isend", to, work.end, work.end + p.call, out);
        operation(to, "comm", Kind::receive, "irecv", s, arrived - 2 * p.call, arrived, in);
        messages.emplace_back(operation(s, "in flight", Kind::send, "isend", to, work.end, arrived, out),
                              operation(to, "in flight", Kind::receive, "irecv", s, work.end - p.call, arrived, in));
        completions.push_back(arrived);
      }
    }
  }
  for (int s = 0; s < p.stages; ++s) {
    trace::Span step;
    step.name = trace.intern("step");
    step.end = free[static_cast<std::size_t>(s)];
    builder.add(s, "host", step);
  }
  const std::vector<trace::SpanId> ids = builder.replay();
  for (std::size_t i = 0; i < messages.size(); ++i) {
    trace::Message message;
    message.send = ids[messages[i].first];
    message.receive = ids[messages[i].second];
    message.send_return = trace.span(message.send).begin + p.call;
    message.match = message.send_return;
    message.completion = completions[i];
    trace.messages().push_back(message);
  }
  return trace;
}

/// Two ranks that send first and never return.
inline trace::Trace deadlock() {
  trace::Trace trace;
  trace.run.demo = "deadlock";
  trace.run.ranks = 2;
  trace.run.backend = "host";
  Builder builder(trace);
  for (int rank = 0; rank < 2; ++rank) {
    trace::Span prepare;
    prepare.kind = Kind::compute;
    prepare.name = trace.intern("prepare");
    prepare.end = 2'000'000 + rank * 300'000;
    builder.add(rank, "host", prepare);
    trace::Span send;
    send.kind = Kind::send;
    send.name = trace.intern("MPI_Send");
    send.begin = prepare.end + 50'000;
    send.peer = 1 - rank;
    send.tag = 0;
    send.bytes = 1 << 20;
    send.flags = trace::kBlocking;
    builder.add(rank, "host", send);
    trace::Span wait = send;
    wait.kind = Kind::wait;
    wait.name = trace.intern("wait");
    wait.begin += 20'000;
    builder.add(rank, "host", wait);
  }
  builder.replay();
  trace.saw(12'000'000);
  return trace;
}

/// `spans` short spans spread over ranks and lanes, with gaps; nothing special about any of them.
inline trace::Trace dense(std::size_t spans, int ranks = 4, unsigned seed = 1) {
  trace::Trace trace;
  trace.run.ranks = ranks;
  std::mt19937_64 random(seed);
  const std::vector<std::string> lanes{"host", "compute", "comm"};
  const Kind kinds[] = {Kind::forward, Kind::backward, Kind::send, Kind::receive, Kind::wait};
  struct Line {
    trace::TrackId track;
    Ns at;
  };
  std::vector<Line> lines;
  for (int rank = 0; rank < ranks; ++rank)
    for (const std::string& lane : lanes) lines.push_back({trace.track(rank, trace.intern(lane)), 0});
  for (std::size_t i = 0; i < spans; ++i) {
    Line& line = lines[i % lines.size()];
    trace::Span span;
    span.track = line.track;
    span.kind = kinds[random() % 5];
    span.microbatch = static_cast<std::int32_t>(i % 100);
    span.begin = line.at + static_cast<Ns>(random() % 1000);
    span.end = span.begin + 100 + static_cast<Ns>(random() % 4000);
    line.at = span.end;
    trace.begin(span);
  }
  return trace;
}

}  // namespace p2plab::synthetic
