// Cuts a trace into the iterations of a pipeline.
#include "app/analysis/pipeline_step.h"

#include <algorithm>
#include <limits>
#include <set>

#include "app/analysis/span_end.h"

namespace p2plab::analysis {
namespace {

using trace::Kind;
using trace::Ns;
using trace::Span;

bool is_action(const Span& span) {
  return (span.kind == Kind::forward || span.kind == Kind::backward || span.kind == Kind::weight) && span.microbatch != trace::kNone;
}

/// The compute spans of one rank by begin, cut where an optimizer has run or a forward repeats.
std::vector<std::vector<trace::SpanId>> iterations_of(const trace::Trace& trace, int rank) {
  std::vector<trace::SpanId> spans;
  for (const auto& track : trace.tracks()) {
    if (track.rank != rank) continue;
    for (const auto id : track.spans)
      if (trace::is_compute(trace.span(id).kind)) spans.push_back(id);
  }
  // On a virtual clock an optimizer takes no time and begins with the next step's first action: it comes before it, in
  // whatever order the lanes stand.
  const auto key = [&](trace::SpanId id) { return std::pair{trace.span(id).begin, end_of(trace, trace.span(id))}; };
  std::stable_sort(spans.begin(), spans.end(), [&](trace::SpanId a, trace::SpanId b) { return key(a) < key(b); });

  std::vector<std::vector<trace::SpanId>> iterations;
  std::set<std::pair<int, int>> seen;  // microbatch and chunk
  bool closed = true;
  for (const trace::SpanId id : spans) {
    const Span& span = trace.span(id);
    const bool repeats = span.kind == Kind::forward && seen.contains({span.microbatch, span.chunk});
    if (is_action(span) && (closed || repeats)) {
      iterations.emplace_back();
      seen.clear();
      closed = false;
    }
    if (iterations.empty()) continue;  // computing before the first microbatch is no part of a step
    if (span.kind == Kind::forward) seen.emplace(span.microbatch, span.chunk);
    if (span.kind == Kind::optimizer) closed = true;
    iterations.back().push_back(id);
  }
  return iterations;
}

}  // namespace

std::vector<Window> merged(std::vector<Window> windows) {
  std::sort(windows.begin(), windows.end(), [](const Window& a, const Window& b) { return a.begin < b.begin; });
  std::vector<Window> out;
  for (const Window& w : windows) {
    if (w.begin >= w.end) continue;
    if (out.empty() || w.begin > out.back().end) out.push_back(w);
    else out.back().end = std::max(out.back().end, w.end);
  }
  return out;
}

std::optional<int> PipelineStep::needed_part(const PipelineAction& action) const {
  const int part = action.forward ? action.part - 1 : action.part + 1;
  if (action.weight || part < 0 || static_cast<std::size_t>(part) >= rank_of_part.size()) return std::nullopt;
  return part;
}

std::vector<PipelineStep> pipeline_steps(const trace::Trace& trace) {
  std::vector<std::vector<std::vector<trace::SpanId>>> ranks;  // rank, iteration, span
  std::size_t count = std::numeric_limits<std::size_t>::max();
  for (int rank = 0; rank < trace.ranks(); ++rank) {
    ranks.push_back(iterations_of(trace, rank));
    if (!ranks.back().empty()) count = std::min(count, ranks.back().size());
  }
  while (!ranks.empty() && ranks.back().empty()) ranks.pop_back();
  if (ranks.empty()) return {};

  std::vector<PipelineStep> steps(count);
  for (std::size_t k = 0; k < count; ++k) {
    PipelineStep& step = steps[k];
    step.window = {std::numeric_limits<Ns>::max(), std::numeric_limits<Ns>::min()};
    step.actions.resize(ranks.size());
    step.busy.resize(ranks.size());
    for (std::size_t r = 0; r < ranks.size(); ++r) {
      if (ranks[r].empty()) continue;
      for (const trace::SpanId id : ranks[r][k]) {
        const Span& span = trace.span(id);
        const Ns end = end_of(trace, span);
        step.busy[r].push_back({span.begin, end});
        if (!is_action(span)) continue;
        const int part = span.chunk != trace::kNone && span.stage != trace::kNone ? span.stage : static_cast<int>(r);
        step.actions[r].push_back({span.begin, end, span.kind == Kind::forward, span.microbatch, span.kind == Kind::weight, part, id});
        if (static_cast<std::size_t>(part) >= step.rank_of_part.size()) step.rank_of_part.resize(static_cast<std::size_t>(part) + 1, r);
        step.rank_of_part[static_cast<std::size_t>(part)] = r;
        step.window.begin = std::min(step.window.begin, span.begin);
        step.window.end = std::max(step.window.end, end);
      }
    }
    for (auto& busy : step.busy) {
      for (Window& w : busy) w = {std::max(w.begin, step.window.begin), std::min(w.end, step.window.end)};
      busy = merged(std::move(busy));
    }
  }
  return steps;
}

}  // namespace p2plab::analysis
