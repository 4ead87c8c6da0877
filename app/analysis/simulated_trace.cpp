// See simulated_trace.h.
#include "app/analysis/simulated_trace.h"

#include <algorithm>

namespace p2plab::analysis {
namespace {

using schedule::Op;
using trace::Kind;

Kind kind_of(Op op) {
  switch (op) {
    case Op::forward: return Kind::forward;
    case Op::backward:
    case Op::input: return Kind::backward;
    case Op::weight: return Kind::weight;
    default: return Kind::optimizer;
  }
}

}  // namespace

void add_simulated(trace::Trace& trace, const schedule::Simulated& simulated, const schedule::Layout& layout, std::uint64_t message_bytes,
                   std::string_view lane, bool messages) {
  const trace::NameId lane_id = trace.intern(lane), world = trace.intern("WORLD"), optimizer = trace.intern("optimizer");
  for (int stage = 0; stage < layout.stages(); ++stage) trace.track(stage, lane_id);
  for (const schedule::Ran& ran : simulated.ran) {
    trace::Span span;
    span.begin = ran.begin;
    span.track = trace.track(ran.stage, lane_id);
    span.kind = kind_of(ran.action.op);
    if (span.kind == Kind::optimizer) {
      span.name = optimizer;
    } else {
      span.microbatch = ran.action.microbatch;
      if (layout.chunks() > 1) span.chunk = ran.action.chunk;
      span.stage = static_cast<std::int16_t>(layout.part_of(ran.stage, ran.action.chunk));
    }
    trace.end(trace.begin(span), ran.end);
  }
  if (!messages) return;

  std::vector<schedule::Moved> moved = simulated.moved;
  std::stable_sort(moved.begin(), moved.end(), [](const auto& a, const auto& b) { return a.sent < b.sent; });
  const trace::NameId names[] = {trace.intern("send"), trace.intern("recv")};
  std::int32_t request = 0;
  for (const schedule::Moved& one : moved) {
    trace::SpanId ends[2];
    for (const bool receives : {false, true}) {
      trace::Span span;
      span.begin = one.sent;
      span.track = trace.track(receives ? one.to : one.from, trace.in_flight_lane());
      span.kind = receives ? Kind::receive : Kind::send;
      span.name = names[receives];
      span.comm = world;
      span.flags = trace::kInFlight;
      span.peer = receives ? one.from : one.to;
      span.tag = one.microbatch * 2 * layout.chunks() + one.chunk * 2 + (one.forward ? 0 : 1);
      span.bytes = message_bytes;
      span.request = request++;
      span.microbatch = one.microbatch;
      span.sequence = one.iteration;
      ends[receives] = trace.begin(span);
      trace.end(ends[receives], one.arrived);
    }
    trace.messages().push_back({ends[0], ends[1], one.sent, one.sent, one.arrived});
  }
}

}  // namespace p2plab::analysis
