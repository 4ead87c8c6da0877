// See faults.h.
#include "app/schedule/faults.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace p2plab::schedule {
namespace {

constexpr std::size_t kOps = 8;  ///< all but the meeting

std::string at(const Action& a, int stage) { return to_string(a) + "@" + std::to_string(stage); }

class Check {
 public:
  explicit Check(const Schedule& schedule)
      : schedule_(schedule),
        layout_(schedule.layout),
        p_(layout_.stages()),
        m_(schedule.microbatches),
        explicit_(says_messages(schedule)),
        seen_(static_cast<std::size_t>(layout_.slots()) * static_cast<std::size_t>(m_), 0),
        done_(seen_.size(), 0) {}

  std::optional<TextRef> run(int memory_limit, double weight_memory) {
    if (schedule_.stages.size() != static_cast<std::size_t>(p_))
      return TextRef{"schedule.fault.orders", {{"orders", std::to_string(std::int64_t(schedule_.stages.size()))}, {"p", std::to_string(p_)}}};
    for (int s = 0; s < p_; ++s)
      if (auto fault = once(s)) return fault;
    for (int s = 0; s < p_; ++s)
      if (auto fault = complete(s)) return fault;
    if (auto fault = ends()) return fault;
    return memory_limit > 0 ? memory(memory_limit, weight_memory) : std::nullopt;
  }

 private:
  const StageOrder& order(int stage) const { return schedule_.stages[static_cast<std::size_t>(stage)]; }
  std::size_t cell(int stage, const Action& a) const {
    return static_cast<std::size_t>(layout_.slot(stage, a.chunk)) * static_cast<std::size_t>(m_) + static_cast<std::size_t>(a.microbatch);
  }
  static std::uint16_t bit(Op op) { return static_cast<std::uint16_t>(1U << static_cast<unsigned>(op)); }
  bool has(int stage, Action a, Op op) const { return (seen_[cell(stage, a)] & bit(op)) != 0; }

  std::optional<TextRef> once(int s) {
    for (const Action& a : order(s)) {
      if (a.op >= Op::meet) continue;
      if (a.chunk < 0 || a.chunk >= layout_.chunks() || layout_.part_of(s, a.chunk) < 0)
        return TextRef{"schedule.fault.no_chunk", {{"action", to_string(a)}, {"stage", std::to_string(s)}, {"v", std::to_string(layout_.chunks_on(s))}}};
      if (a.microbatch < 0 || a.microbatch >= m_)
        return TextRef{"schedule.fault.no_microbatch", {{"action", to_string(a)}, {"stage", std::to_string(s)}, {"m", std::to_string(m_)}, {"last", std::to_string(m_ - 1)}}};
      std::uint16_t& seen = seen_[cell(s, a)];
      if (seen & bit(a.op)) return TextRef{"schedule.fault.twice", {{"action", to_string(a)}, {"stage", std::to_string(s)}}};
      seen |= bit(a.op);
      if ((seen & bit(Op::backward)) && (seen & (bit(Op::input) | bit(Op::weight))))
        return TextRef{"schedule.fault.both", {{"action", to_string(a)}, {"stage", std::to_string(s)}}};
    }
    return std::nullopt;
  }

  std::optional<TextRef> complete(int s) const {
    const auto missing = [&](Action a, Op op) {
      a.op = op;
      return TextRef{"schedule.fault.missing", {{"action", to_string(a)}, {"stage", std::to_string(s)}}};
    };
    for (int c = 0; c < layout_.chunks_on(s); ++c) {
      const int part = layout_.part_of(s, c);
      const bool before = part > 0 && layout_.stage_of(part - 1) != s;
      const bool after = part + 1 < layout_.parts() && layout_.stage_of(part + 1) != s;
      for (int i = 0; i < m_; ++i) {
        const Action a = forward(i, c);
        if (!has(s, a, Op::forward)) return missing(a, Op::forward);
        if (!has(s, a, Op::backward) && !has(s, a, Op::input)) return missing(a, Op::input);
        if (!has(s, a, Op::backward) && !has(s, a, Op::weight)) return missing(a, Op::weight);
        if (!explicit_) continue;
        for (const auto& [op, wanted] : {std::pair{Op::receive_forward, before}, std::pair{Op::send_backward, before},
                                         std::pair{Op::send_forward, after}, std::pair{Op::receive_backward, after}}) {
          if (wanted && !has(s, a, op)) return missing(a, op);
          if (!wanted && has(s, a, op)) {
            const Action extra{a.microbatch, a.chunk, op};
            return TextRef{"schedule.fault.no_neighbour", {{"action", to_string(extra)}, {"stage", std::to_string(s)}}};
          }
        }
      }
    }
    return std::nullopt;
  }

  struct Where {
    int stage = 0;
    Action action;
    bool meets = false;  ///< the stage `stage` comes to its next meeting
  };

  bool is_done(int stage, const Action& a) const { return (done_[cell(stage, a)] & bit(a.op)) != 0; }

  /// What a list calls the backward of a microbatch here: one action or two.
  Action backward_of(int stage, const Action& a) const {
    return {a.microbatch, a.chunk, has(stage, a, Op::backward) ? Op::backward : Op::input};
  }

  /// What `a` still waits for; nothing when it can run.
  std::optional<Where> lacks(int s, const Action& a) const {
    const auto need = [&](int stage, const Action& other) {
      return is_done(stage, other) ? std::nullopt : std::optional<Where>(Where{stage, other});
    };
    const int part = layout_.part_of(s, a.chunk);
    const auto from = [&](int neighbour, Op send, bool backwards) -> std::optional<Where> {
      const int stage = layout_.stage_of(neighbour);
      const Action there = forward(a.microbatch, layout_.chunk_of(neighbour));
      if (explicit_ && stage != s) return need(stage, {there.microbatch, there.chunk, send});
      return need(stage, backwards ? backward_of(stage, there) : there);
    };
    switch (a.op) {
      case Op::forward:
        if (part > 0)
          if (auto what = from(part - 1, Op::send_forward, false)) return what;
        if (explicit_ && has(s, a, Op::receive_forward)) return need(s, {a.microbatch, a.chunk, Op::receive_forward});
        return std::nullopt;
      case Op::backward:
      case Op::input:
        if (auto what = need(s, forward(a.microbatch, a.chunk))) return what;
        if (part + 1 < layout_.parts())
          if (auto what = from(part + 1, Op::send_backward, true)) return what;
        if (explicit_ && has(s, a, Op::receive_backward)) return need(s, {a.microbatch, a.chunk, Op::receive_backward});
        return std::nullopt;
      case Op::weight: return need(s, input(a.microbatch, a.chunk));
      case Op::send_forward: return need(s, forward(a.microbatch, a.chunk));
      case Op::send_backward: return need(s, backward_of(s, a));
      default: return std::nullopt;
    }
  }

  std::optional<TextRef> ends() {
    std::vector<std::size_t> next(static_cast<std::size_t>(p_), 0);
    const auto head = [&](int s) { return next[static_cast<std::size_t>(s)] < order(s).size() ? &order(s)[next[static_cast<std::size_t>(s)]] : nullptr; };
    for (bool moved = true; moved;) {
      moved = false;
      int meeting = 0;
      for (int s = 0; s < p_; ++s) {
        const Action* a = head(s);
        for (; a != nullptr && a->op != Op::meet && !lacks(s, *a); a = head(s)) {
          done_[cell(s, *a)] |= bit(a->op);
          ++next[static_cast<std::size_t>(s)];
          moved = true;
        }
        if (a != nullptr && a->op == Op::meet) ++meeting;
      }
      if (!moved && meeting == p_) {
        for (auto& n : next) ++n;
        moved = true;
      }
    }
    for (int s = 0; s < p_; ++s)
      if (head(s) != nullptr) return cycle(s, head);
    return std::nullopt;
  }

  /// Follows waits from stage to stage until one comes up again.
  template <class Head>
  std::optional<TextRef> cycle(int first, Head head) const {
    std::vector<std::pair<int, std::string>> path;  // the stage that stands still there, and what it says
    std::vector<bool> visited(static_cast<std::size_t>(p_), false);
    int s = first;
    while (!visited[static_cast<std::size_t>(s)]) {
      visited[static_cast<std::size_t>(s)] = true;
      const Action* a = head(s);
      if (a == nullptr)
        return TextRef{"schedule.fault.meetings", {{"stage", std::to_string(s)}}};  // others still want to meet this one
      path.emplace_back(s, at(*a, s));
      if (a->op == Op::meet) {
        int other = 0;
        while (head(other) != nullptr && head(other)->op == Op::meet) ++other;
        s = other;
        continue;
      }
      const auto what = lacks(s, *a);
      if (at(what->action, what->stage) != (head(what->stage) ? at(*head(what->stage), what->stage) : std::string()))
        path.emplace_back(-1, at(what->action, what->stage));
      s = what->stage;
    }
    auto begin = std::find_if(path.begin(), path.end(), [&](const auto& step) { return step.first == s; });
    std::string chain;
    for (auto step = begin; step != path.end(); ++step) chain += step->second + " → ";
    return TextRef{"schedule.fault.cycle", {{"action", to_string(*head(s))}, {"stage", std::to_string(s)}, {"cycle", chain + begin->second}}};
  }

  std::optional<TextRef> memory(int limit, double weight_memory) const {
    for (int s = 0; s < p_; ++s) {
      constexpr std::int64_t kChunk = 1000;
      const std::int64_t most = kChunk * limit * layout_.chunks(), held = std::llround(weight_memory * double(kChunk));
      std::int64_t in_flight = 0;
      for (const Action& a : order(s)) {
        if (a.op == Op::forward && (in_flight += kChunk) > most)
          return TextRef{"schedule.fault.memory", {{"action", to_string(a)}, {"stage", std::to_string(s)}, {"limit", std::to_string(limit)}}};
        if (a.op == Op::backward) in_flight -= kChunk;
        if (a.op == Op::input) in_flight -= kChunk - held;
        if (a.op == Op::weight) in_flight -= held;
      }
    }
    return std::nullopt;
  }

  const Schedule& schedule_;
  const Layout& layout_;
  const int p_, m_;
  const bool explicit_;
  std::vector<std::uint16_t> seen_, done_;
};

}  // namespace

std::optional<TextRef> find_fault(const Schedule& schedule, int memory_limit, double weight_memory) {
  return Check(schedule).run(memory_limit, weight_memory);
}

}  // namespace p2plab::schedule
