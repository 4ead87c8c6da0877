// The rules of the virtual clock said a second time, as plainly as possible: in every step look at everything that could
// happen next and let the earliest happen. O(n²), and shares nothing with the engine.
#pragma once
#include <algorithm>
#include <map>
#include <tuple>

#include "tests/schedule/support.h"

namespace p2plab::test {

struct Reference {
  Ns makespan = 0;
  std::vector<Ns> busy;
  std::vector<std::pair<Ns, Ns>> spans;  ///< begin and end of every action, stage by stage
  bool stuck = false;
};

/// One iteration of a schedule with implied messages.
inline Reference reference(const Schedule& schedule, const Costs& costs) {
  const Layout& layout = schedule.layout;
  const int p = layout.stages();
  struct Stage {
    std::size_t next = 0;
    Ns free = 0;
    bool running = false;
    std::vector<std::pair<Ns, Ns>> spans;
  };
  std::vector<Stage> stages(static_cast<std::size_t>(p));
  std::vector<Ns> send_free(static_cast<std::size_t>(p), 0), receive_free = send_free;
  std::map<std::tuple<int, bool, int>, Ns> arrived;  // part, forward, microbatch
  const Ns wire = costs.link.wire_ns();
  Reference out;
  out.busy.assign(static_cast<std::size_t>(p), 0);

  const auto length = [&](int s, const Action& a) {
    const StageTime& t = costs.of(s, a.microbatch, p);
    const int n = layout.chunks_on(s);
    const Ns f = share(t.forward, a.chunk, n), b = share(t.input, a.chunk, n), w = share(t.weight, a.chunk, n);
    return a.op == Op::forward ? f : a.op == Op::input ? b : a.op == Op::weight ? w : b + w;
  };
  const auto start = [&](int s) {
    Stage& stage = stages[static_cast<std::size_t>(s)];
    const StageOrder& order = schedule.stages[static_cast<std::size_t>(s)];
    if (stage.running || stage.next == order.size()) return false;
    const Action& a = order[stage.next];
    const int part = layout.part_of(s, a.chunk);
    Ns begin = stage.free;
    const bool first = part == 0, last = part + 1 == layout.parts();
    if ((a.op == Op::forward && !first) || (is_backward(a.op) && !last)) {
      const auto message = arrived.find({part, a.op == Op::forward, a.microbatch});
      if (message == arrived.end()) return false;
      begin = std::max(begin, message->second);
    }
    stage.running = true;
    stage.free = begin + length(s, a);
    stage.spans.emplace_back(begin, stage.free);
    out.busy[static_cast<std::size_t>(s)] += length(s, a);
    return true;
  };
  for (;;) {
    for (int s = 0; s < p; ++s) start(s);
    int earliest = -1;
    for (int s = 0; s < p; ++s)
      if (stages[static_cast<std::size_t>(s)].running &&
          (earliest < 0 || stages[static_cast<std::size_t>(s)].free < stages[static_cast<std::size_t>(earliest)].free))
        earliest = s;
    if (earliest < 0) break;
    Stage& stage = stages[static_cast<std::size_t>(earliest)];
    const Action a = schedule.stages[static_cast<std::size_t>(earliest)][stage.next++];
    stage.running = false;
    out.makespan = std::max(out.makespan, stage.free);
    const int part = layout.part_of(earliest, a.chunk), to = a.op == Op::forward ? part + 1 : part - 1;
    if (a.op == Op::weight || to < 0 || to >= layout.parts()) continue;
    const int target = layout.stage_of(to);
    Ns left = stage.free;
    if (target != earliest && costs.link.ports && wire > 0) {
      Ns &out_port = send_free[static_cast<std::size_t>(earliest)], &in_port = receive_free[static_cast<std::size_t>(target)];
      left = std::max({left, out_port, in_port});
      out_port = in_port = left + wire;
    }
    arrived[{to, a.op == Op::forward, a.microbatch}] = left + costs.link.delay_ns(earliest, target);
  }
  for (int s = 0; s < p; ++s) {
    const Stage& stage = stages[static_cast<std::size_t>(s)];
    out.stuck = out.stuck || stage.next < schedule.stages[static_cast<std::size_t>(s)].size();
    out.spans.insert(out.spans.end(), stage.spans.begin(), stage.spans.end());
  }
  return out;
}

/// The same above the eager limit: one stream of each stage sends, one receives, and a message leaves once both are at it.
inline Reference reference_asking(const Schedule& schedule, const Costs& costs) {
  const Layout& layout = schedule.layout;
  const int p = layout.stages();
  using Message = std::tuple<int, bool, int>;  // part, forward, microbatch
  struct Stage {
    std::size_t next = 0;
    Ns free = 0, send_free = 0, receive_free = 0;
    bool running = false;
    std::vector<std::pair<Message, int>> sends;     // what it makes, in the order of making, and for whom
    std::vector<Message> receives;                  // what it needs, in the order of needing
    std::size_t sent = 0, received = 0;             // posted so far
    bool offers = false, wants = false;             // posted, not matched
    Ns sending_until = -1, receiving_until = -1;    // matched; -1: not
    Message arriving;
    std::vector<std::pair<Ns, Ns>> spans;
  };
  std::vector<Stage> stages(static_cast<std::size_t>(p));
  std::map<Message, Ns> arrived;
  const Ns wire = costs.link.wire_ns();
  Reference out;
  out.busy.assign(static_cast<std::size_t>(p), 0);
  const auto at = [&](int s) -> Stage& { return stages[static_cast<std::size_t>(s)]; };
  const auto order = [&](int s) -> const StageOrder& { return schedule.stages[static_cast<std::size_t>(s)]; };
  const auto length = [&](int s, const Action& a) {
    const StageTime& t = costs.of(s, a.microbatch, p);
    const int n = layout.chunks_on(s);
    const Ns f = share(t.forward, a.chunk, n), b = share(t.input, a.chunk, n), w = share(t.weight, a.chunk, n);
    return a.op == Op::forward ? f : a.op == Op::input ? b : a.op == Op::weight ? w : b + w;
  };
  const auto needs = [&](int s, const Action& a) {
    const int part = layout.part_of(s, a.chunk);
    return (a.op == Op::forward && part > 0) || (is_backward(a.op) && part + 1 < layout.parts());
  };
  for (int s = 0; s < p; ++s)
    for (const Action& a : order(s)) {
      const int part = layout.part_of(s, a.chunk);
      if (needs(s, a) && layout.stage_of(a.op == Op::forward ? part - 1 : part + 1) != s)
        at(s).receives.emplace_back(part, a.op == Op::forward, a.microbatch);
    }

  for (Ns now = 0; now >= 0;) {
    const auto start = [&] {
      for (int s = 0; s < p; ++s) {
        Stage& stage = at(s);
        if (stage.running || stage.next == order(s).size()) continue;
        const Action& a = order(s)[stage.next];
        if (needs(s, a) && !arrived.contains({layout.part_of(s, a.chunk), a.op == Op::forward, a.microbatch})) continue;
        stage.running = true;
        stage.free = now + length(s, a);
        stage.spans.emplace_back(now, stage.free);
        out.busy[static_cast<std::size_t>(s)] += length(s, a);
      }
    };
    start();
    for (bool any = true; any;) {
      any = false;
      for (int s = 0; s < p; ++s) {
        Stage& stage = at(s);
        if (!stage.running || stage.free > now) continue;
        any = true;
        const Action a = order(s)[stage.next++];
        stage.running = false;
        out.makespan = std::max(out.makespan, now);
        const int part = layout.part_of(s, a.chunk), to = a.op == Op::forward ? part + 1 : part - 1;
        if (a.op == Op::weight || to < 0 || to >= layout.parts()) continue;
        const Message message{to, a.op == Op::forward, a.microbatch};
        if (layout.stage_of(to) == s) arrived[message] = now;
        else stage.sends.emplace_back(message, layout.stage_of(to));
      }
      start();
    }
    for (int s = 0; s < p; ++s) {
      Stage& stage = at(s);
      if (stage.receiving_until == now) arrived[stage.arriving] = now, stage.receiving_until = -1;
      if (stage.sending_until == now) stage.sending_until = -1;
    }
    start();
    const auto match = [&](int from, int to) {
      Stage &a = at(from), &b = at(to);
      if (!a.offers || !b.wants || a.sends[a.sent - 1].first != b.receives[b.received - 1]) return;
      Ns left = now;
      if (costs.link.ports && wire > 0) {
        left = std::max({now, a.send_free, b.receive_free});
        a.send_free = b.receive_free = left + wire;
      }
      a.offers = b.wants = false;
      b.arriving = b.receives[b.received - 1];
      a.sending_until = left + wire;
      b.receiving_until = left + costs.link.delay_ns(from, to);
    };
    for (int s = 0; s < p; ++s) {
      Stage& stage = at(s);
      if (!stage.offers && stage.sending_until < 0 && stage.sent < stage.sends.size()) {
        stage.offers = true;
        match(s, stage.sends[stage.sent++].second);
      }
      if (!stage.wants && stage.receiving_until < 0 && stage.received < stage.receives.size()) {
        stage.wants = true;
        const auto& [part, forward, microbatch] = stage.receives[stage.received++];
        match(layout.stage_of(forward ? part - 1 : part + 1), s);
      }
    }
    Ns next = -1;
    const auto consider = [&](Ns when) {
      if (when >= now && (next < 0 || when < next)) next = when;
    };
    for (const Stage& stage : stages) {
      if (stage.running) consider(stage.free);
      consider(stage.sending_until);
      consider(stage.receiving_until);
    }
    now = next;
  }
  for (int s = 0; s < p; ++s) {
    out.stuck = out.stuck || at(s).next < order(s).size();
    out.spans.insert(out.spans.end(), at(s).spans.begin(), at(s).spans.end());
  }
  return out;
}

}  // namespace p2plab::test
