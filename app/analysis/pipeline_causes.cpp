// Gives each idle instant of each rank its cause, following a wait to the rank that has what is waited for.
#include "app/analysis/pipeline_causes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <tuple>

namespace p2plab::analysis {
namespace {

using trace::Kind;
using trace::Ns;

class Blame {
 public:
  Blame(const trace::Trace& trace, const PipelineStep& step)
      : step_(step), standing_(step.busy.size()), held_(step.busy.size()), arrivals_(trace, step) {
    for (const auto& track : trace.tracks()) {
      const auto rank = static_cast<std::size_t>(track.rank);
      if (rank >= step.busy.size() || track.lane == trace.in_flight_lane()) continue;
      const bool host = trace.name(track.lane) == "host";
      for (const auto id : track.spans) {
        const trace::Span& span = trace.span(id);
        const Window w{span.begin, span.open() ? std::max(span.begin, trace.now()) : span.end};
        if (w.end <= step.window.begin || w.begin >= step.window.end) continue;
        if (span.kind == Kind::collective || (span.kind == Kind::other && !host)) standing_[rank].push_back(w);
        if (trace::is_communication(span.kind) && (span.flags & trace::kBlocking)) held_[rank].push_back(w);
      }
    }
    for (auto& w : standing_) w = merged(std::move(w));
    for (auto& w : held_) w = merged(std::move(w));
  }

  std::map<BubbleCause, Ns> all() {
    for (std::size_t rank = 0; rank < step_.busy.size(); ++rank)
      split(step_.window, step_.busy[rank], [](Window) {}, [&](Window idle) { explain(rank, idle, 0); });
    return totals_;
  }

 private:
  /// Calls `inside` for the parts of `w` covered by `parts` (sorted, disjoint) and `outside` for the others.
  template <class Inside, class Outside>
  static void split(Window w, const std::vector<Window>& parts, Inside inside, Outside outside) {
    for (const Window& part : parts) {
      if (part.end <= w.begin) continue;
      if (part.begin >= w.end) break;
      if (part.begin > w.begin) outside(Window{w.begin, part.begin});
      const Ns end = std::min(part.end, w.end);
      inside(Window{std::max(w.begin, part.begin), end});
      w.begin = end;
    }
    if (w.begin < w.end) outside(w);
  }

  void add(BubbleCause cause, Ns begin, Ns end) {
    if (begin < end) totals_[cause] += end - begin;
  }

  /// `rank` is idle throughout `w`. With `hops` > 0 another rank waits for it and inherits the cause.
  void explain(std::size_t rank, Window w, std::size_t hops) {
    const auto& actions = step_.actions[rank];
    const auto next = std::find_if(actions.begin(), actions.end(), [&](const auto& a) { return a.begin >= w.end; });
    if (next == actions.begin()) return add(hops ? BubbleCause::upstream : BubbleCause::warm_up, w.begin, w.end);
    if (next == actions.end()) return add(hops ? BubbleCause::upstream : BubbleCause::drain, w.begin, w.end);
    split(w, standing_[rank], [&](Window part) { add(BubbleCause::straggler, part.begin, part.end); },
          [&](Window part) { explain_wait(rank, *next, part, hops); });
  }

  void explain_wait(std::size_t rank, const PipelineAction& next, Window w, std::size_t hops) {
    const std::optional<Arrival> needed = arrivals_.find(step_, rank, next);
    if (needed) {
      const auto until = [&](Ns instant) { return Window{w.begin, std::clamp(instant, w.begin, w.end)}; };
      const Window computing = until(needed->produced);
      split(computing, step_.busy[needed->from], [&](Window part) { add(BubbleCause::upstream, part.begin, part.end); },
            [&](Window part) {
              if (hops < step_.busy.size()) explain(needed->from, part, hops + 1);
              else add(BubbleCause::upstream, part.begin, part.end);
            });
      w.begin = computing.end;
      const Window unsent = until(needed->sent);
      split(unsent, step_.busy[needed->from], [&](Window part) { add(BubbleCause::upstream, part.begin, part.end); },
            [&](Window part) { add(BubbleCause::exposed_transfer, part.begin, part.end); });
      w.begin = unsent.end;
      const Window travelling = until(needed->arrived);
      add(BubbleCause::exposed_transfer, travelling.begin, travelling.end);
      w.begin = travelling.end;
    }
    split(w, held_[rank], [&](Window part) { add(BubbleCause::exposed_transfer, part.begin, part.end); },
          [&](Window part) { add(BubbleCause::unexplained, part.begin, part.end); });
  }

  /// What an action waits for: produced by rank `from`, posted, complete at the receiver.
  struct Arrival {
    std::size_t from = 0;
    Ns produced = 0, sent = 0, arrived = 0;
  };

  /// The messages of the step by ordered pair. Order ties them to actions: a stage sends what it makes in the order in
  /// which it makes it, and messages of a pair do not overtake.
  class Arrivals {
   public:
    Arrivals(const trace::Trace& trace, const PipelineStep& step) {
      for (const trace::Message& message : trace.messages()) {
        const trace::Span& send = trace.span(message.send);
        if (send.begin < step.window.begin || send.begin >= step.window.end) continue;
        const int from = trace.tracks()[send.track].rank, to = send.peer;
        const Ns arrived = message.completion == trace::kOpen ? step.window.end : message.completion;
        messages_[{from, to}].push_back({static_cast<std::size_t>(from), 0, send.begin, arrived});
      }
      for (auto& [pair, list] : messages_)
        std::sort(list.begin(), list.end(), [](const Arrival& a, const Arrival& b) { return a.sent < b.sent; });
    }

    std::optional<Arrival> find(const PipelineStep& step, std::size_t rank, const PipelineAction& next) const {
      const std::optional<int> part = step.needed_part(next);
      if (!part) return std::nullopt;
      const std::size_t from = step.rank_of_part[static_cast<std::size_t>(*part)];
      std::size_t total = 0, index = 0;
      std::optional<Arrival> found;
      for (const PipelineAction& action : step.actions[from]) {
        if (!sends_to(step, action, from, rank)) continue;
        if (action.forward == next.forward && action.part == *part && action.microbatch == next.microbatch) {
          found = Arrival{from, action.end, action.end, action.end};
          index = total;
        }
        ++total;
      }
      const auto list = messages_.find({static_cast<int>(from), static_cast<int>(rank)});
      if (found && list != messages_.end() && list->second.size() == total) {
        found->sent = list->second[index].sent;
        found->arrived = list->second[index].arrived;
      }
      return found;
    }

   private:
    /// The action's result travels from one rank to the other.
    static bool sends_to(const PipelineStep& step, const PipelineAction& action, std::size_t from, std::size_t to) {
      const int target = action.forward ? action.part + 1 : action.part - 1;
      if (action.weight || target < 0 || static_cast<std::size_t>(target) >= step.rank_of_part.size()) return false;
      return from != to && step.rank_of_part[static_cast<std::size_t>(target)] == to;
    }
    std::map<std::pair<int, int>, std::vector<Arrival>> messages_;
  };

  const PipelineStep& step_;
  std::vector<std::vector<Window>> standing_, held_;
  Arrivals arrivals_;
  std::map<BubbleCause, Ns> totals_;
};

/// The lower median; of a pipeline with one slow stage it is the time of the others.
Ns median(std::vector<Ns> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Ns median_duration(const PipelineStep& step, bool forward, bool weight) {
  std::vector<Ns> stages;
  for (const auto& actions : step.actions) {
    std::vector<Ns> durations;
    for (const auto& a : actions)
      if (a.forward == forward && a.weight == weight) durations.push_back(a.end - a.begin);
    stages.push_back(median(std::move(durations)));
  }
  return median(std::move(stages));
}

/// How long each action takes in a run that is only thought.
using Durations = std::function<Ns(const PipelineAction&)>;

/// Idle time between first and last action, over all ranks, if each rank kept its order and nothing took time to travel.
/// Nothing where the step is incomplete.
std::optional<Ns> upstream_of(const PipelineStep& step, const Durations& duration) {
  const std::size_t p = step.actions.size();
  std::map<std::tuple<int, bool, int>, Ns> done;
  std::vector<std::size_t> next(p, 0);
  std::vector<Ns> clock(p, 0);
  Ns idle = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t r = 0; r < p; ++r) {
      for (; next[r] < step.actions[r].size(); ++next[r], moved = true) {
        const PipelineAction& a = step.actions[r][next[r]];
        Ns ready = clock[r];
        if (const auto part = step.needed_part(a)) {
          const auto needed = done.find({*part, a.forward, a.microbatch});
          if (needed == done.end()) break;
          ready = std::max(ready, needed->second);
        }
        if (next[r] > 0) idle += ready - clock[r];
        clock[r] = ready + duration(a);
        if (!a.weight) done[{a.part, a.forward, a.microbatch}] = clock[r];
      }
    }
  }
  for (std::size_t r = 0; r < p; ++r)
    if (next[r] < step.actions[r].size()) return std::nullopt;
  return idle;
}

/// Moves what the schedule itself does not account for out of `upstream`: first what unequal stages cost, then the
/// knock-on of earlier delays, in proportion to them.
void share_upstream(const PipelineStep& step, std::map<BubbleCause, Ns>& causes) {
  const Ns equal[3] = {median_duration(step, false, false), median_duration(step, true, false), median_duration(step, false, true)};
  const auto balanced = upstream_of(step, [&](const PipelineAction& a) { return equal[a.weight ? 2 : a.forward]; });
  const auto as_run = upstream_of(step, [](const PipelineAction& a) { return a.end - a.begin; });
  if (!balanced || !as_run) return;
  Ns& upstream = causes[BubbleCause::upstream];
  const Ns imbalance = std::clamp<Ns>(*as_run - *balanced, 0, upstream);
  causes[BubbleCause::imbalance] += imbalance;
  upstream -= imbalance;

  const Ns knock_on = std::max<Ns>(0, upstream - *balanced);
  const std::array delays{BubbleCause::exposed_transfer, BubbleCause::straggler, BubbleCause::unexplained};
  Ns direct = 0;
  for (const BubbleCause cause : delays) direct += causes[cause];
  if (direct == 0) return;
  const double share = static_cast<double>(knock_on) / static_cast<double>(direct);
  for (const BubbleCause cause : delays) {
    const Ns part = std::min(upstream, static_cast<Ns>(share * static_cast<double>(causes[cause])));
    causes[cause] += part;
    upstream -= part;
  }
}

}  // namespace

std::map<BubbleCause, Ns> bubble_causes(const trace::Trace& trace, const PipelineStep& step) {
  auto causes = Blame(trace, step).all();
  for (const BubbleCause cause :
       {BubbleCause::warm_up, BubbleCause::drain, BubbleCause::upstream, BubbleCause::exposed_transfer,
        BubbleCause::imbalance, BubbleCause::straggler, BubbleCause::unexplained})
    causes.try_emplace(cause, 0);
  share_upstream(step, causes);
  return causes;
}

}  // namespace p2plab::analysis
