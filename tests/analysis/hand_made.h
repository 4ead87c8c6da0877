// Traces written by hand, as the runtime would record them.
#pragma once
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "app/trace/trace.h"

namespace hand_made {

using namespace p2plab::trace;

struct Op {
  SpanId flight = kNoIndex;
  SpanId call = kNoIndex;
  std::int32_t request = kNone;
};

/// Where and how a call is made.
struct How {
  std::string lane = "host";
  bool blocking = false;
  std::uint64_t bytes = 64;
  std::string comm = "world";
  std::string site = {};
  std::string name = {};
};

class Run {
 public:
  Trace trace;

  explicit Run(int ranks, std::string semantics = "mpi") {
    trace.run.ranks = ranks;
    trace.run.semantics = std::move(semantics);
  }

  SpanId span(int rank, Kind kind, Ns begin, Ns end, const How& how = {}, std::uint8_t flags = 0) {
    Span s = blank(rank, kind, begin, how);
    s.end = end;
    s.flags = flags;
    return trace.begin(s);
  }
  /// A call that posts one operation; both its spans stay open.
  Op post(int rank, Kind kind, int peer, int tag, Ns at, const How& how = {}) {
    Op op;
    op.request = next_request_[rank]++;
    Span s = blank(rank, kind, at, how);
    s.peer = peer;
    s.tag = tag;
    s.request = op.request;
    s.flags = how.blocking ? kBlocking : 0;
    op.call = trace.begin(s);
    s.track = trace.track(rank, trace.in_flight_lane());
    s.flags = kInFlight;
    op.flight = trace.begin(s);
    return op;
  }
  /// The operation is complete; a blocking call returns with it.
  void complete(const Op& op, Ns at) {
    trace.end(op.flight, at);
    if (trace.span(op.call).open()) trace.end(op.call, at);
  }
  void returned(const Op& op, Ns at) { trace.end(op.call, at); }
  /// One call that posts a group: the call span, then a span in flight for each part.
  std::pair<SpanId, std::vector<Op>> group(int rank, std::initializer_list<std::tuple<Kind, int, int>> parts, Ns at,
                                           const How& how = {}) {
    Span s = blank(rank, Kind::other, at, how);
    s.flags = static_cast<std::uint8_t>(kGroup | (how.blocking ? kBlocking : 0));
    const SpanId call = trace.begin(s);
    std::vector<Op> ops;
    for (const auto& [kind, peer, tag] : parts) {
      Op op;
      op.request = next_request_[rank]++;
      Span f = blank(rank, kind, at, how);
      f.track = trace.track(rank, trace.in_flight_lane());
      f.flags = kInFlight | kGroup;
      f.peer = peer;
      f.tag = tag;
      f.request = op.request;
      op.flight = trace.begin(f);
      op.call = call;
      ops.push_back(op);
      trace.add(WaitTarget{call, op.request});
    }
    return {call, ops};
  }
  SpanId wait(int rank, std::initializer_list<Op> ops, Ns at, bool any = false, const How& how = {}) {
    Span s = blank(rank, Kind::wait, at, how);
    s.flags = static_cast<std::uint8_t>(kBlocking | (any ? kAny : 0));
    const SpanId id = trace.begin(s);
    for (const Op& op : ops) trace.add(WaitTarget{id, op.request});
    return id;
  }
  SpanId wait_for_lane(int rank, const std::string& lane, Ns at, const How& how = {}) {
    const SpanId id = trace.begin(blank(rank, Kind::wait, at, how));
    trace.add(WaitTarget{id, kNone, trace.track(rank, trace.intern(lane))});
    return id;
  }
  SpanId wait_for_event(int rank, const std::string& lane, std::uint64_t event, Ns at, const How& how = {}) {
    const SpanId id = trace.begin(blank(rank, Kind::wait, at, how));
    trace.add(WaitTarget{id, kNone, track(rank, lane), event});
    return id;
  }
  SpanId collective(int rank, int sequence, Ns at, const How& how = {}) {
    Span s = blank(rank, Kind::collective, at, how);
    s.sequence = sequence;
    s.flags = kBlocking;
    return trace.begin(s);
  }

  ThreadSample& thread(int rank, ThreadState state, SpanId wait = kNoIndex, const std::string& lane = "host") {
    const NameId name = trace.intern(lane);
    trace.track(rank, name);
    for (ThreadSample& known : trace.threads()) {
      if (known.rank != rank || known.lane != name) continue;
      known.state = state;
      known.wait_span = wait;
      return known;
    }
    ThreadSample sample;
    sample.rank = rank;
    sample.lane = name;
    sample.owner = lane == "host" ? 0 : trace.intern("host");
    sample.state = state;
    sample.wait_span = wait;
    trace.threads().push_back(sample);
    return trace.threads().back();
  }
  TrackId track(int rank, const std::string& lane = "host") { return trace.track(rank, trace.intern(lane)); }

 private:
  Span blank(int rank, Kind kind, Ns begin, const How& how) {
    Span s;
    s.begin = begin;
    s.track = track(rank, how.lane);
    s.kind = kind;
    s.bytes = how.bytes;
    s.comm = trace.intern(how.comm);
    s.site = trace.intern(how.site);
    s.name = trace.intern(!how.name.empty() ? how.name
                          : kind == Kind::send ? "send"
                          : kind == Kind::receive ? "recv"
                          : kind == Kind::wait ? "wait"
                          : kind == Kind::collective ? "barrier" : "call");
    return s;
  }
  std::map<int, std::int32_t> next_request_;
};

}  // namespace hand_made
