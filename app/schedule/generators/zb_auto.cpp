// The zero-bubble paper's automatic schedule (2401.10241 section 3.1) under a memory limit: with p activations it is called
// ZB-1p, with 2p ZB-2p. A clock runs through all stages; whenever a stage is free it decides by simple rules what comes next.
// Several settings of the rules are tried, and the hand-made ZB-H1 and ZB-H2 where they fit; the best is kept.
//
// The measure is the paper's: the longest time that any stage takes from its first action to its last one.
#include <algorithm>
#include <limits>
#include <queue>

#include "app/schedule/generator.h"
#include "app/schedule/generators/zero_bubble.h"
#include "app/trace/error.h"

namespace p2plab::schedule::made {
namespace {

using Ns = std::int64_t;
constexpr Ns kUnknown = -1;
constexpr Ns kNever = std::numeric_limits<Ns>::max();
constexpr std::int64_t kWhole = 1000;                 ///< memory is counted in thousandths of an activation
constexpr std::int64_t kMostCells = 1 << 24;          ///< p m that is planned at all
constexpr std::int64_t kMostTried = 1 << 20;          ///< and with all settings

/// How a stage decides where the rules leave a choice.
struct Rules {
  bool delays_first = false;  ///< in the warm-up another F is run although B0 comes before it ends
  bool runs_ahead = false;    ///< an F is run out of turn rather than nothing
  /// A W fills a gap that is shorter than W …
  enum class Gap { if_worst, always, never } gap = Gap::if_worst;  ///< … if this stage has idled most; always; never
};

class Clock {
 public:
  Clock(const Problem& problem, const Rules& rules)
      : p_(problem.shape.stages),
        m_(problem.shape.microbatches),
        problem_(problem),
        rules_(rules),
        limit_(kWhole * problem.memory_limit),
        held_(static_cast<std::int64_t>(problem.weight_memory * kWhole + 0.5)),
        stages_(static_cast<std::size_t>(p_)),
        forward_at_(static_cast<std::size_t>(p_) * static_cast<std::size_t>(m_), kUnknown),
        backward_at_(forward_at_) {}

  /// False if the stages come to a stand.
  bool run() {
    for (int s = 0; s < p_; ++s) events_.emplace(0, s);
    while (!events_.empty()) {
      const auto [now, s] = events_.top();
      events_.pop();
      Stage& stage = stages_[index(s)];
      if (stage.free <= now && stage.weights < m_) decide(s, now);
    }
    return std::all_of(stages_.begin(), stages_.end(), [this](const Stage& stage) { return stage.weights == m_; });
  }

  Ns longest_window() const {
    Ns longest = 0;
    for (const Stage& stage : stages_) longest = std::max(longest, stage.free - stage.begin);
    return longest;
  }
  std::vector<StageOrder> orders() {
    std::vector<StageOrder> out;
    for (Stage& stage : stages_) out.push_back(std::move(stage.order));
    return out;
  }

 private:
  struct Stage {
    int forwards = 0, inputs = 0, weights = 0;  ///< done
    std::int64_t memory = 0;
    Ns begin = kUnknown, free = 0, idle = 0;
    bool forward_last = false;
    StageOrder order;
  };
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  std::size_t cell(int s, int i) const { return index(s) * index(m_) + index(i); }

  /// When the next F or B can begin: an instant, kUnknown while its message has not been sent, kNever if there is none.
  Ns next_forward(int s, const Stage& stage) const {
    if (stage.forwards == m_) return kNever;
    return s == 0 ? 0 : forward_at_[cell(s, stage.forwards)];
  }
  Ns next_input(int s, const Stage& stage) const {
    if (stage.inputs == m_) return kNever;
    if (stage.inputs == stage.forwards) return kUnknown;
    return s == p_ - 1 ? 0 : backward_at_[cell(s, stage.inputs)];
  }

  void decide(int s, Ns now) {
    Stage& stage = stages_[index(s)];
    const Ns f_at = next_forward(s, stage), b_at = next_input(s, stage);
    const bool room = stage.memory + kWhole <= limit_;
    const bool f_here = f_at >= 0 && f_at <= now, b_here = b_at >= 0 && b_at <= now;
    const bool can_f = f_here && room, owes_w = stage.weights < stage.inputs;
    const bool delays_b = b_at >= 0 && b_at < now + problem_.forward_ns && !rules_.delays_first;

    if (stage.inputs == 0) {  // warm-up: as many F as fit before the first B
      if (b_here) return run_input(s, now);
      if (can_f && !delays_b) return run_forward(s, now);
    } else if (stage.forwards < m_) {  // one F and one B in turn
      if (stage.forward_last && b_here) return run_input(s, now);
      if (stage.forward_last && can_f && rules_.runs_ahead && !delays_b) return run_forward(s, now);
      if (!stage.forward_last) {
        if (can_f) return run_forward(s, now);
        if (f_here && owes_w) return run_weight(s, now);  // makes room
        if (b_here) return run_input(s, now);
      }
      if (f_here && !room && owes_w && !b_here) return run_weight(s, now);
    } else if (b_here) {
      return run_input(s, now);
    }
    if (owes_w && fills_gap(stage, now, room ? f_at : kNever, b_at)) return run_weight(s, now);

    Ns next = kNever;
    if (room && f_at > now) next = std::min(next, f_at);
    if (b_at > now) next = std::min(next, b_at);
    if (next != kNever) events_.emplace(next, s);
  }

  bool fills_gap(const Stage& stage, Ns now, Ns f_at, Ns b_at) const {
    Ns next = kNever;
    if (f_at != kUnknown && f_at != kNever) next = std::max(f_at, now);
    if (b_at != kUnknown && b_at != kNever) next = std::min(next, std::max(b_at, now));
    if (next == kNever) return true;  // nothing is on its way
    const Ns gap = next - now;
    if (gap >= problem_.weight_ns) return true;
    if (gap == 0 || rules_.gap == Rules::Gap::never) return false;
    if (rules_.gap == Rules::Gap::always) return true;
    return std::all_of(stages_.begin(), stages_.end(), [&](const Stage& other) { return other.idle < stage.idle + gap; });
  }

  void began(Stage& stage, Ns now, Ns length) {
    if (stage.begin == kUnknown) stage.begin = now;
    else stage.idle += now - stage.free;
    stage.free = now + length;
  }
  void run_forward(int s, Ns now) {
    Stage& stage = stages_[index(s)];
    began(stage, now, problem_.forward_ns);
    stage.memory += kWhole;
    stage.forward_last = true;
    if (s + 1 < p_) arrives(forward_at_[cell(s + 1, stage.forwards)], s + 1, stage.free + problem_.latency_ns, now);
    stage.order.push_back(forward(stage.forwards++));
    events_.emplace(stage.free, s);
  }
  void run_input(int s, Ns now) {
    Stage& stage = stages_[index(s)];
    began(stage, now, problem_.input_ns);
    stage.memory -= kWhole - held_;
    stage.forward_last = false;
    if (s > 0) arrives(backward_at_[cell(s - 1, stage.inputs)], s - 1, stage.free + problem_.latency_ns, now);
    stage.order.push_back(input(stage.inputs++));
    events_.emplace(stage.free, s);
  }
  void run_weight(int s, Ns now) {
    Stage& stage = stages_[index(s)];
    began(stage, now, problem_.weight_ns);
    stage.memory -= held_;
    stage.order.push_back(weight(stage.weights++));
    events_.emplace(stage.free, s);
  }
  /// The receiver looks when it hears of the message, and when it is there.
  void arrives(Ns& slot, int stage, Ns when, Ns now) {
    slot = when;
    events_.emplace(when, stage);
    events_.emplace(now, stage);
  }

  const int p_, m_;
  const Problem& problem_;
  const Rules rules_;
  const std::int64_t limit_, held_;
  std::vector<Stage> stages_;
  std::vector<Ns> forward_at_, backward_at_;  ///< arrivals per stage and microbatch
  using Event = std::pair<Ns, int>;
  std::priority_queue<Event, std::vector<Event>, std::greater<Event>> events_;
};

/// Peak memory of an order, in thousandths.
std::int64_t peak(const StageOrder& order, std::int64_t held) {
  std::int64_t memory = 0, most = 0;
  for (const Action& a : order) {
    if (a.op == Op::forward) most = std::max(most, memory += kWhole);
    if (a.op == Op::input) memory -= kWhole - held;
    if (a.op == Op::weight) memory -= held;
  }
  return most;
}

/// The longest window of orders that are given: every time follows from earlier ones.
Ns longest_window(const Problem& problem, const std::vector<StageOrder>& stages) {
  const auto p = stages.size(), m = static_cast<std::size_t>(problem.shape.microbatches);
  std::vector<Ns> forward_at(p * m, kUnknown), backward_at = forward_at, begin(p, kUnknown), free(p, 0);
  std::vector<std::size_t> next(p, 0);
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t s = 0; s < p; ++s)
      for (; next[s] < stages[s].size(); ++next[s], moved = true) {
        const Action& a = stages[s][next[s]];
        const auto i = static_cast<std::size_t>(a.microbatch);
        Ns ready = 0;
        if (a.op == Op::forward && s > 0) ready = forward_at[s * m + i];
        if (a.op == Op::input && s + 1 < p) ready = backward_at[s * m + i];
        if (ready == kUnknown) break;
        const Ns start = std::max(free[s], ready);
        if (begin[s] == kUnknown) begin[s] = start;
        free[s] = start + (a.op == Op::forward ? problem.forward_ns : a.op == Op::input ? problem.input_ns : problem.weight_ns);
        if (a.op == Op::forward && s + 1 < p) forward_at[(s + 1) * m + i] = free[s] + problem.latency_ns;
        if (a.op == Op::input && s > 0) backward_at[(s - 1) * m + i] = free[s] + problem.latency_ns;
      }
  }
  Ns longest = 0;
  for (std::size_t s = 0; s < p; ++s) longest = std::max(longest, free[s] - begin[s]);
  return longest;
}

std::vector<StageOrder> hand_made(const Shape& shape, int depth) {
  std::vector<StageOrder> out;
  for (int s = 0; s < shape.stages; ++s) {
    StageOrder& order = out.emplace_back();
    for (std::int64_t k = 0; k < three_each(shape, s); ++k)
      order.push_back(zero_bubble_step(shape.microbatches, depth * (shape.stages - 1 - s), depth * s, k));
  }
  return out;
}

std::vector<StageOrder> plan(const Problem& given) {
  Problem problem = given;
  if (problem.memory_limit == 0) problem.memory_limit = 2 * problem.shape.stages;
  const std::int64_t cells = std::int64_t{problem.shape.stages} * problem.shape.microbatches;
  if (cells > kMostCells) throw Error("schedule.too_large_to_plan", {{"schedule", "zb-auto"}, {"cells", std::to_string(cells)}, {"max", std::to_string(kMostCells)}});

  std::vector<StageOrder> best;
  Ns shortest = kNever;
  const auto keep = [&](Ns window, auto&& orders) {
    if (window >= shortest) return;
    shortest = window;
    best = orders();
  };
  for (const auto gap : {Rules::Gap::if_worst, Rules::Gap::always, Rules::Gap::never})
    for (const bool runs_ahead : {false, true})
      for (const bool delays_first : {false, true}) {
        if (shortest != kNever && cells > kMostTried) continue;
        Clock clock(problem, {delays_first, runs_ahead, gap});
        if (clock.run()) keep(clock.longest_window(), [&] { return clock.orders(); });
      }
  const auto held = static_cast<std::int64_t>(problem.weight_memory * kWhole + 0.5);
  for (const int depth : {1, 2}) {
    auto orders = hand_made(problem.shape, depth);
    const bool fits = std::all_of(orders.begin(), orders.end(), [&](const StageOrder& order) { return peak(order, held) <= kWhole * problem.memory_limit; });
    if (fits) keep(longest_window(problem, orders), [&] { return std::move(orders); });
  }
  if (best.empty()) throw Error("schedule.no_plan", {{"schedule", "zb-auto"}, {"limit", std::to_string(problem.memory_limit)}});
  return best;
}

}  // namespace

Generator zb_auto() {
  return {.id = "zb-auto", .lesson = 90, .splits = true, .takes_limit = true, .weight_memory = 0.5, .count = three_each, .plan = plan};
}

}  // namespace p2plab::schedule::made
