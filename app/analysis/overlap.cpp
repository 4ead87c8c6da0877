// Unions of half-open intervals and what two of them share, in whole nanoseconds.
#include "app/analysis/overlap.h"

#include <algorithm>

#include "app/analysis/span_end.h"

namespace p2plab::analysis {

using trace::Ns;
using trace::Span;
using trace::Trace;

namespace {

// Sorts and merges; what is left is disjoint and in order.
std::vector<Window> united(std::vector<Window> windows) {
  std::sort(windows.begin(), windows.end(), [](const Window& a, const Window& b) { return a.begin < b.begin; });
  std::vector<Window> out;
  for (const Window& window : windows) {
    if (window.end <= window.begin) continue;
    if (!out.empty() && window.begin <= out.back().end) {
      out.back().end = std::max(out.back().end, window.end);
    } else {
      out.push_back(window);
    }
  }
  return out;
}

Ns length(const std::vector<Window>& windows) {
  Ns sum = 0;
  for (const Window& window : windows) sum += window.end - window.begin;
  return sum;
}

Ns shared(const std::vector<Window>& a, const std::vector<Window>& b) {
  Ns sum = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    sum += std::max<Ns>(0, std::min(a[i].end, b[j].end) - std::max(a[i].begin, b[j].begin));
    if (a[i].end < b[j].end) {
      ++i;
    } else {
      ++j;
    }
  }
  return sum;
}

}  // namespace

std::optional<double> Overlap::ratio() const {
  if (comm_ns == 0) return std::nullopt;
  return static_cast<double>(overlap_ns) / static_cast<double>(comm_ns);
}

Window whole_run(const Trace& trace) {
  Window window;
  bool any = false;
  for (std::size_t i = 0; i < trace.spans().size(); ++i) {
    const Span& span = trace.spans()[i];
    if (!trace::is_compute(span.kind) && !trace::is_communication(span.kind)) continue;
    const Ns end = end_of(trace, span);
    window = any ? Window{std::min(window.begin, span.begin), std::max(window.end, end)} : Window{span.begin, end};
    any = true;
  }
  return window;
}

Overlap overlap(const Trace& trace, int rank, Window window) {
  std::vector<Window> compute, communication;
  for (const trace::Track& track : trace.tracks()) {
    if (track.rank != rank) continue;
    for (const trace::SpanId id : track.spans) {
      const Span& span = trace.span(id);
      const Window part{std::max(span.begin, window.begin), std::min(end_of(trace, span), window.end)};
      if (trace::is_compute(span.kind)) compute.push_back(part);
      if (trace::is_communication(span.kind)) communication.push_back(part);
    }
  }
  compute = united(std::move(compute));
  communication = united(std::move(communication));
  return {length(compute), length(communication), shared(compute, communication)};
}

Overlap overlap(const Trace& trace, Window window) {
  Overlap sum;
  for (int rank = 0; rank < trace.ranks(); ++rank) {
    const Overlap part = overlap(trace, rank, window);
    sum.compute_ns += part.compute_ns;
    sum.comm_ns += part.comm_ns;
    sum.overlap_ns += part.overlap_ns;
  }
  return sum;
}

}  // namespace p2plab::analysis
