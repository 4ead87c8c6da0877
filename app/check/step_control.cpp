// See step_control.h.
#include "app/check/step_control.h"

#include <algorithm>

#include "app/analysis/wait_for.h"
#include "app/check/lab_rules.h"

namespace p2plab::check {

namespace {

/// As runtime and profiling layer call the span of a rank that is held.
constexpr std::string_view kHeld = "waiting for a step";

}  // namespace

void StepControl::hold(trace::ControlPage& page, int ranks) {
  for (int rank = 0; rank < ranks; ++rank) page.rank[rank].step_credits.store(0);
}

void StepControl::release(int rank) { control_.page().rank[rank].step_credits.fetch_add(1); }

void StepControl::release_all() {
  for (int rank = 0; rank < control_.page().ranks; ++rank) control_.page().rank[rank].step_credits.store(-1);
}

std::vector<Stand> stands(const trace::Trace& trace, int ranks) {
  std::vector<Stand> out(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    Stand& stand = out[static_cast<std::size_t>(rank)];
    stand.rank = rank;
    for (const trace::SpanId id : calls_of(trace, rank)) {
      const trace::Span& span = trace.span(id);
      const std::string& name = trace.name(span.name);
      if (name == kHeld) {
        stand.state = span.open() ? Stand::State::held : Stand::State::running;
        stand.next = span.site == trace::kNoIndex ? std::string() : trace.name(span.site);
        continue;
      }
      if (stand.state == Stand::State::starting) stand.state = Stand::State::running;
      stand.call = name;
      stand.site = trace.name(span.site);
    }
    const bool left = std::any_of(trace.threads().begin(), trace.threads().end(), [&](const trace::ThreadSample& thread) { return thread.rank == rank && thread.state == trace::ThreadState::exited; });
    if (left) stand.state = Stand::State::ended;
  }
  for (const analysis::WaitNode& node : analysis::wait_for_graph(trace).nodes) {
    Stand& stand = out.at(static_cast<std::size_t>(trace.tracks()[node.track].rank));
    if (stand.state != Stand::State::running || node.span == trace::kNoIndex) continue;
    stand.state = Stand::State::waiting;
    for (const analysis::Requirement& need : node.needs)
      if (need.peer_rank >= 0 && std::find(stand.waits_for.begin(), stand.waits_for.end(), need.peer_rank) == stand.waits_for.end()) stand.waits_for.push_back(need.peer_rank);
  }
  return out;
}

}  // namespace p2plab::check
