// See sim_numbers.h.
#include "app/gui/model/sim_numbers.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "app/analysis/in_flight.h"
#include "app/analysis/pipeline_step.h"
#include "app/schedule/generator.h"

namespace p2plab::gui {
namespace {

using nlohmann::ordered_json;
using trace::Kind;
using trace::Ns;

/// All actions of one schedule.
struct Lane {
  Ns makespan = 0, busy = 0;
  int ranks = 0, parts = 0;
  std::map<Kind, std::set<Ns>> lengths;  ///< of the actions of a kind
  double idle_share() const { return makespan > 0 && ranks > 0 ? 1 - static_cast<double>(busy) / static_cast<double>(ranks) / static_cast<double>(makespan) : 0; }
};

bool is_action(Kind kind) { return kind == Kind::forward || kind == Kind::backward || kind == Kind::weight || kind == Kind::optimizer; }

std::map<std::string, Lane> lanes_of(const trace::Trace& trace) {
  std::map<std::string, Lane> out;
  for (const trace::Track& track : trace.tracks()) {
    Lane* lane = nullptr;
    for (const trace::SpanId id : track.spans) {
      const trace::Span& span = trace.span(id);
      if (!is_action(span.kind) || span.open()) continue;
      if (lane == nullptr) {
        lane = &out[trace.name(track.lane)];
        ++lane->ranks;
      }
      lane->makespan = std::max(lane->makespan, span.end);
      lane->busy += span.end - span.begin;
      lane->parts = std::max(lane->parts, span.stage + 1);
      lane->lengths[span.kind].insert(span.end - span.begin);
    }
  }
  return out;
}

std::string knob(const trace::Trace& trace, const char* name) {
  const auto found = trace.run.knobs.find(name);
  return found == trace.run.knobs.end() ? std::string() : found->second;
}

/// Idle over total with equal stages and no latency; nothing where the schedule has no closed form or its times are not equal.
std::optional<double> ideal_of(const trace::Trace& trace, const std::string& schedule, const Lane& lane) {
  const schedule::Generator* generator = schedule::find_generator(schedule);
  const int microbatches = std::atoi(knob(trace, "microbatches").c_str());
  if (generator == nullptr || microbatches < 1 || lane.ranks < 1 || lane.lengths.contains(Kind::optimizer)) return std::nullopt;
  const auto length = [&](Kind kind) -> std::optional<double> {
    const auto found = lane.lengths.find(kind);
    if (found == lane.lengths.end()) return 0;
    return found->second.size() == 1 ? std::optional<double>(static_cast<double>(*found->second.begin())) : std::nullopt;
  };
  const auto f = length(Kind::forward), b = length(Kind::backward), w = length(Kind::weight);
  if (!f || !b || !w) return std::nullopt;
  const int chunks = std::max(1, lane.parts / lane.ranks);
  const double v = chunks;  // an action of a chunk is a part of the stage's
  const auto bubble = schedule::ideal_bubble(*generator, {lane.ranks, microbatches, chunks}, *f * v, *b * v, *w * v);
  const double work = microbatches * (*f + *b + *w) * v;
  return bubble && *bubble + work > 0 ? std::optional<double>(*bubble / (*bubble + work)) : std::nullopt;
}

void add_bubble(ordered_json& out, const Lane& lane, const std::string& suffix) {
  const double idle = lane.idle_share();
  out["makespan_ns" + suffix] = lane.makespan;
  out["bubble_ratio" + suffix] = idle;
  if (idle < 1) out["bubble_over_ideal" + suffix] = idle / (1 - idle);
}

ordered_json peaks(const trace::Trace& trace) {
  ordered_json out = ordered_json::array();
  for (const auto& stage : analysis::in_flight(trace)) out.push_back(analysis::peak(stage));
  return out;
}

}  // namespace

bool is_simulated(const trace::RunInfo& run) { return run.demo.empty() && run.backend == "sim"; }

ordered_json simulated_metrics(const trace::Trace& trace) {
  ordered_json out = ordered_json::object();
  const auto lanes = lanes_of(trace);
  if (lanes.size() != 1) {
    for (const auto& [name, lane] : lanes) add_bubble(out, lane, ":" + name);
    return out;
  }
  const Lane& lane = lanes.begin()->second;
  add_bubble(out, lane, {});
  if (const auto ideal = analysis::pipeline_steps(trace).size() > 1 ? std::nullopt : ideal_of(trace, knob(trace, "schedule"), lane)) {
    out["bubble_ideal_ratio"] = *ideal;
    if (*ideal < 1) out["makespan_ideal_ns"] = static_cast<double>(lane.busy) / lane.ranks / (1 - *ideal);
  }
  out["peak_in_flight"] = peaks(trace);
  return out;
}

}  // namespace p2plab::gui
