// The rules of the virtual clock said a second time, as plainly as possible: in every step look at everything that could
// happen next and let the earliest happen. O(n²), and shares nothing with the engine.
#pragma once
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

}  // namespace p2plab::test
