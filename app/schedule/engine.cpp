// Three ways through the same rules. Without contention every time follows from earlier ones, whatever the order of looking:
// stages take turns, each running until it has to wait. With contention the order of sending matters, so the stage whose
// action ends first goes next. Above the eager limit a message also waits for its receive: instant by instant.
#include "app/schedule/engine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "app/schedule/comm_streams.h"
#include "app/schedule/later_queue.h"
#include "app/schedule/rings.h"
#include "app/schedule/soonest.h"
#include "app/trace/error.h"

namespace p2plab::schedule {
namespace {

constexpr int kRead = 16;  ///< actions read from the program at a time
constexpr int kTurn = 8;   ///< actions a stage runs before others take their turn: bounds what is in flight
constexpr std::size_t kTimedOps = 4;
constexpr std::int64_t kTold = 1 << 20;  ///< actions between two words to who watches
constexpr std::int64_t kChunk = 1000;  ///< the unit of StageTotals::peak

/// What a stage is doing.
struct Stage {
  Ns free = 0;                 ///< it has nothing to do from here on
  Ns met = 0;                  ///< idle in meetings since its last action
  std::int64_t count = 0;      ///< actions of an iteration
  std::int64_t read = 0;       ///< of them, read so far
  std::int32_t iteration = 0;
  std::int8_t at = 0, filled = 0;  ///< in its buffer
  bool waits = false;          ///< for the message `key` of `ring`
  bool in_barrier = false;
  bool started = false;
  Action running;              ///< with contention: ends at `free`
  std::size_t ring = 0;
  std::int64_t key = 0;
  std::int64_t in_flight = 0;
  StageTotals totals;
};

enum class Mode { turns, ports, asks };

template <Mode kMode>
class Engine {
  static constexpr bool kInOrder = kMode != Mode::turns;  ///< of time
  static constexpr bool kAsks = kMode == Mode::asks;

 public:
  Engine(const Program& program, const Costs& costs, int iterations, bool keep, const Watch& watch)
      : program_(program),
        costs_(costs),
        layout_(program.layout()),
        p_(program.stages()),
        m_(program.microbatches()),
        v_(layout_.chunks()),
        iterations_(iterations),
        keep_(keep),
        watch_(watch),
        tell_at_(watch ? kTold : std::numeric_limits<std::int64_t>::max()),
        rings_(2 * static_cast<std::size_t>(layout_.slots())),
        stages_(static_cast<std::size_t>(p_)),
        buffers_(static_cast<std::size_t>(p_) * kRead),
        soonest_(kMode == Mode::ports ? p_ : 1) {
    lay_out();
    lay_costs();
    for (int s = 0; s < p_; ++s) stages_[index(s)].count = program.count(s);
    out_.iteration_end.assign(static_cast<std::size_t>(iterations), 0);
    if (kMode == Mode::ports) send_free_.assign(index(p_), 0), receive_free_.assign(index(p_), 0);
    if constexpr (kAsks) {
      receives_.resize(index(p_));
      ahead_.resize(index(p_) * kRead);
      streams_.emplace(p_, costs.link.ports ? wire_ : 0, wire_, [this](int s) { return next_receive(s); });
    }
  }

  Simulated run() {
    if constexpr (kAsks) {
      for (int s = 0; s < p_; ++s) start_next(s);
      for (post(0); instant(); ) {
      }
    } else if constexpr (kInOrder) {
      for (int s = 0; s < p_; ++s) start_next(s);
      for (int s = soonest_.stage(); s >= 0; s = soonest_.stage()) {
        complete(s, stages_[index(s)].running);
        start_next(s);
      }
    } else {
      turns_.resize(index(p_));
      for (int s = 0; s < p_; ++s) queue(s);
      while (queued_ > 0) take_turn();
    }
    return finish();
  }

 private:
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

  void lay_out() {
    const std::size_t slots = index(layout_.slots());
    next_.assign(slots, -1);
    previous_.assign(slots, -1);
    delay_.assign(2 * slots, 0);
    for (int part = 0; part + 1 < layout_.parts(); ++part) {
      const int a = layout_.slot_of(part), b = layout_.slot_of(part + 1);
      next_[index(a)] = b;
      previous_[index(b)] = a;
      if (program_.meets()) continue;  // the meeting carries it
      delay_[2 * index(b)] = costs_.link.delay_ns(a / v_, b / v_);
      delay_[2 * index(a) + 1] = costs_.link.delay_ns(b / v_, a / v_);
    }
    wire_ = costs_.link.wire_ns();
    meeting_ = program_.meets() ? costs_.link.meeting_ns(p_) : 0;
    explicit_ = program_.says_messages();
    held_ = std::llround(costs_.weight_memory * double(kChunk));
  }

  void lay_costs() {
    per_microbatch_ = costs_.times.size() > index(p_) ? m_ : 1;
    same_rows_ = costs_.uniform() && layout_.parts() == layout_.slots();
    const int rows = same_rows_ ? 1 : p_;
    for (int s = 0; s < rows; ++s) {
      // Where stages hold different numbers of chunks (a schedule from a file), each has its own shares.
      for (int c = 0; c < v_; ++c) {
        const int parts = std::max(1, layout_.chunks_on(s));
        for (int i = 0; i < per_microbatch_; ++i) {
          const StageTime& t = costs_.of(s, i, p_);
          const Ns f = share(t.forward, std::min(c, parts - 1), parts), b = share(t.input, std::min(c, parts - 1), parts),
                   w = share(t.weight, std::min(c, parts - 1), parts);
          durations_.insert(durations_.end(), {f, add(b, w), b, w});
        }
      }
    }
  }

  Ns duration(int stage, const Action& a) const {
    const std::size_t row = same_rows_ ? index(a.chunk) : index(stage * v_ + a.chunk);
    return durations_[(per_microbatch_ == 1 ? row : row * index(per_microbatch_) + index(a.microbatch)) * kTimedOps + index(static_cast<int>(a.op))];
  }

  /// The next action; null where the iteration is over. It stays until `at` moves on.
  const Action* peek(int s) {
    Stage& stage = stages_[index(s)];
    Action* buffer = buffers_.data() + index(s) * kRead;
    if (stage.at == stage.filled) {
      const auto n = std::min<std::int64_t>(kRead, stage.count - stage.read);
      if (n == 0) return nullptr;
      program_.read(s, stage.read, {buffer, index(n)});
      stage.read += n;
      stage.at = 0;
      stage.filled = static_cast<std::int8_t>(n);
    }
    return buffer + stage.at;
  }

  enum class Went { on, waits, over };

  /// Starts the next action of a stage, which then ends at `free`; `running` says which it is.
  Went start(int s) {
    Stage& stage = stages_[index(s)];
    for (;;) {
      if (stage.in_barrier) return Went::waits;
      if (stage.iteration == iterations_) return Went::over;
      const Action* next = peek(s);
      if (next == nullptr) {
        end_iteration(s);
        continue;
      }
      if (next->op != Op::meet) return compute(s, *next);
      ++stage.at;
      enter_barrier(s, meeting_, false);
    }
  }

  Went compute(int s, const Action& a) {
    Stage& stage = stages_[index(s)];
    stage.running = a;
    if (is_message(a.op)) {
      ++stage.at;
      return Went::on;
    }
    const int slot = s * v_ + a.chunk;
    const bool forward = a.op == Op::forward;
    Ns begin = stage.free;
    const bool needs = a.op != Op::weight && (forward ? previous_ : next_)[index(slot)] >= 0;
    if (needs) {
      const std::size_t ring = 2 * index(slot) + (forward ? 0 : 1);
      const std::int64_t key = std::int64_t{stage.iteration} * m_ + a.microbatch;
      const Arrival* arrival = rings_.find(ring, key);
      if (arrival == nullptr) {
        stage.waits = true;
        stage.ring = ring;
        stage.key = key;
        return Went::waits;
      }
      begin = std::max(begin, arrival->arrived);
      if (stage.started && begin > stage.free) {
        const Ns unmade = std::clamp<Ns>(arrival->sent - stage.free, 0, begin - stage.free);
        stage.totals.idle[index(int(Idle::upstream))] += unmade;
        stage.totals.idle[index(int(Idle::transfer))] += begin - stage.free - unmade;
      }
      rings_.take(ring, key);
    }
    ++stage.at;
    account(s, a, begin, duration(s, a));
    return Went::on;
  }

  void account(int s, const Action& a, Ns begin, Ns length) {
    Stage& stage = stages_[index(s)];
    StageTotals& totals = stage.totals;
    if (!stage.started) {
      stage.started = true;
      totals.begin = begin;
      totals.idle[index(int(Idle::warm_up))] = begin;
      stage.met = 0;
    }
    totals.idle[index(int(Idle::meeting))] += stage.met;
    stage.met = 0;
    totals.busy = add(totals.busy, length);
    totals.end = stage.free = add(begin, length);
    if (a.op == Op::forward) totals.peak = std::max(totals.peak, stage.in_flight += kChunk);
    if (a.op == Op::backward) stage.in_flight -= kChunk;
    if (a.op == Op::input) stage.in_flight -= kChunk - held_;
    if (a.op == Op::weight) stage.in_flight -= held_;
    if (++out_.actions >= tell_at_) {
      tell_at_ += kTold;
      watch_(out_.actions);
    }
    if (keep_) out_.ran.push_back({begin, stage.free, a, s, stage.iteration});
  }

  /// What an action has made goes to those that wait for it.
  void complete(int s, const Action& a) {
    const int slot = s * v_ + a.chunk;
    switch (a.op) {
      case Op::forward: return made(s, next_[index(slot)], a, true, !explicit_);
      case Op::backward:
      case Op::input: return made(s, previous_[index(slot)], a, false, !explicit_);
      case Op::send_forward: return made(s, next_[index(slot)], a, true, true);
      case Op::send_backward: return made(s, previous_[index(slot)], a, false, true);
      default: return;
    }
  }

  void made(int s, int to, const Action& a, bool forward, bool sends) {
    if (to < 0) return;
    Stage& stage = stages_[index(s)];
    const int target = to / v_;
    const bool local = target == s;
    if (!local && !sends) return;  // an explicit send follows
    if (local && is_message(a.op)) return;
    const std::size_t ring = 2 * index(to) + (forward ? 0 : 1);
    const std::int64_t key = std::int64_t{stage.iteration} * m_ + a.microbatch;
    Ns left = stage.free, arrived = stage.free;
    if (!local) {
      if constexpr (kAsks) {
        ++stage.totals.sent;
        streams_->made({ring, key, s, target, stage.free});
        return;
      }
      if (kMode == Mode::ports && !program_.meets()) {
        left = std::max({left, send_free_[index(s)], receive_free_[index(target)]});
        send_free_[index(s)] = receive_free_[index(target)] = add(left, wire_);
      }
      arrived = add(left, delay_[ring]);
      if (!program_.meets()) {
        ++stage.totals.sent;
        if (keep_) {
          out_.moved.push_back({stage.free, left, arrived, s, target, a.microbatch, stage.iteration,
                                static_cast<std::int16_t>(to % v_), forward});
        }
      }
    }
    there(target, ring, {key, stage.free, arrived});
  }

  void there(int target, std::size_t ring, const Arrival& arrival) {
    rings_.put(ring, arrival);
    Stage& other = stages_[index(target)];
    if (other.waits && other.ring == ring && other.key == arrival.key) {
      other.waits = false;
      go_on(target);
    }
  }

  void end_iteration(int s) {
    Stage& stage = stages_[index(s)];
    Ns& end = out_.iteration_end[index(stage.iteration)];
    end = std::max(end, stage.totals.end);
    if (costs_.optimizer_sync) return enter_barrier(s, 0, true);
    begin_iteration(s);
  }

  void begin_iteration(int s) {
    Stage& stage = stages_[index(s)];
    if (costs_.optimizer_ns > 0) {
      const Ns begin = stage.free;
      stage.totals.idle[index(int(Idle::meeting))] += stage.met;
      stage.met = 0;
      stage.totals.busy = add(stage.totals.busy, costs_.optimizer_ns);
      stage.totals.end = stage.free = add(stage.free, costs_.optimizer_ns);
      if (keep_) out_.ran.push_back({begin, stage.free, {-1, 0, Op::optimizer}, s, stage.iteration});
    }
    ++stage.iteration;
    stage.read = 0;
    stage.at = stage.filled = 0;
  }

  void enter_barrier(int s, Ns cost, bool ends_iteration) {
    Stage& stage = stages_[index(s)];
    stage.in_barrier = true;
    barrier_until_ = std::max(barrier_until_, stage.free);
    if (++in_barrier_ < p_) return;
    const Ns until = add(barrier_until_, cost);
    in_barrier_ = 0;
    barrier_until_ = 0;
    for (int other = 0; other < p_; ++other) {
      Stage& one = stages_[index(other)];
      one.in_barrier = false;
      one.met += until - one.free;
      one.free = until;
      if (ends_iteration) begin_iteration(other);
    }
    for (int other = 0; other < p_; ++other)
      if (other != s) go_on(other);  // s itself is on its way
  }

  /// What a stage waited for is there.
  void go_on(int s) {
    if constexpr (kInOrder) {
      if (!starting_) return start_next(s);
      woken_.push_back(s);
    } else {
      queue(s);
    }
  }

  // --- with contention
  void start_next(int first) {
    starting_ = true;
    woken_.push_back(first);
    while (!woken_.empty()) {
      const int s = woken_.back();
      woken_.pop_back();
      const bool on = start(s) == Went::on;
      if constexpr (!kAsks) soonest_.set(s, on ? stages_[index(s)].free : Soonest::kNever);
      else if (on) ending_.add(stages_[index(s)].free, s);
    }
    starting_ = false;
  }

  // --- above the eager limit
  /// Everything that happens at the next instant; false when nothing does.
  bool instant() {
    const Ns now = std::min(ending_.next(), streams_->next());
    if (now == CommStreams::kNever) return false;
    while (const auto s = ending_.take(now)) {
      complete(*s, stages_[index(*s)].running);
      start_next(*s);
    }
    for (const int s : streams_->arrivals(now)) {
      const Asking& message = streams_->arriving(s).message;
      there(s, message.ring, {message.key, message.made, now});
    }
    post(now);
    return true;
  }

  void post(Ns now) {
    for (const int s : streams_->post(now, delay_)) {
      if (!keep_) break;
      const Travelling& one = streams_->arriving(s);
      const Asking& message = one.message;
      out_.moved.push_back({message.made, one.left, one.arrived, message.from, message.to, static_cast<std::int32_t>(message.key % m_),
                              static_cast<std::int32_t>(message.key / m_), static_cast<std::int16_t>(message.ring / 2 % index(v_)), message.ring % 2 == 0});
    }
  }

  /// The message that a stage's next action but for those already received needs, over all iterations.
  std::optional<Asking> next_receive(int s) {
    Receives& at = receives_[index(s)];
    Action* buffer = ahead_.data() + index(s) * kRead;
    for (;;) {
      if (at.at == at.filled) {
        const std::int64_t count = stages_[index(s)].count;
        if (at.read == count) at.read = 0, ++at.iteration;
        if (at.iteration >= iterations_ || count == 0) return std::nullopt;
        const auto n = std::min<std::int64_t>(kRead, count - at.read);
        program_.read(s, at.read, {buffer, index(n)});
        at.read += n;
        at.at = 0;
        at.filled = static_cast<std::int8_t>(n);
      }
      const Action& a = buffer[at.at++];
      if (!is_compute(a.op) || a.op == Op::weight) continue;
      const int slot = s * v_ + a.chunk, from = (a.op == Op::forward ? previous_ : next_)[index(slot)];
      if (from < 0 || from / v_ == s) continue;
      return Asking{2 * index(slot) + (a.op == Op::forward ? 0 : 1), std::int64_t{at.iteration} * m_ + a.microbatch, from / v_, s, 0};
    }
  }

  std::string word(const Asking& message) const {
    const auto chunk = static_cast<int>(message.ring / 2 % index(v_));
    return to_string(message.ring % 2 == 0 ? forward(message.key % m_, chunk) : backward(message.key % m_, chunk));
  }

  /// Two streams that wait for each other, each with the wrong message in front.
  void explain_standstill() const {
    for (int s = 0; s < p_; ++s) {
      const auto sends = streams_->sends(s);
      if (!sends) continue;
      const auto wants = streams_->wants(sends->to);
      throw Error("sim.streams_cross", {{"sends", word(*sends)}, {"from", std::to_string(s)}, {"to", std::to_string(sends->to)},
                                        {"wants", wants ? word(*wants) : "-"}, {"wants_from", std::to_string(wants ? wants->from : s)}});
    }
  }

  // --- without contention
  void queue(int s) {
    turns_[(first_turn_ + queued_) % turns_.size()] = s;
    ++queued_;
  }
  void take_turn() {
    const int s = turns_[first_turn_];
    first_turn_ = first_turn_ + 1 == turns_.size() ? 0 : first_turn_ + 1;
    --queued_;
    for (int n = 0; n < kTurn; ++n) {
      if (start(s) != Went::on) return;
      complete(s, stages_[index(s)].running);
    }
    queue(s);
  }

  Simulated finish() {
    for (int s = 0; s < p_; ++s) {
      Stage& stage = stages_[index(s)];
      if (stage.iteration < iterations_) {
        if constexpr (kAsks) explain_standstill();
        const Action* next = peek(s);
        throw Error("schedule.fault.stuck", {{"action", next == nullptr ? "-" : to_string(*next)}, {"stage", std::to_string(s)}});
      }
      out_.makespan = std::max(out_.makespan, stage.totals.end);
      out_.messages += stage.totals.sent;
    }
    for (Stage& stage : stages_) {
      stage.totals.idle[index(int(Idle::drain))] = out_.makespan - stage.totals.end;
      if (!stage.started) stage.totals.idle = {out_.makespan};
      out_.stages.push_back(stage.totals);
    }
    std::stable_sort(out_.ran.begin(), out_.ran.end(), [](const Ran& a, const Ran& b) { return a.stage < b.stage; });
    return std::move(out_);
  }

  const Program& program_;
  const Costs& costs_;
  const Layout& layout_;
  const int p_, m_, v_, iterations_;
  const bool keep_;
  const Watch& watch_;
  std::int64_t tell_at_;
  Rings rings_;
  std::vector<Stage> stages_;
  std::vector<Action> buffers_;
  std::vector<std::int32_t> next_, previous_;  ///< slots
  std::vector<Ns> delay_;                      ///< per ring
  std::vector<Ns> durations_;
  int per_microbatch_ = 1;
  bool same_rows_ = true;  ///< every stage takes the same times
  Ns wire_ = 0, meeting_ = 0;
  bool explicit_ = false;
  std::int64_t held_ = kChunk;  ///< of an activation, from B to W
  Simulated out_;
  int in_barrier_ = 0;
  Ns barrier_until_ = 0;
  // with contention
  Soonest soonest_;
  std::vector<Ns> send_free_, receive_free_;
  std::vector<int> woken_;
  bool starting_ = false;
  // above the eager limit
  struct Receives {
    std::int64_t read = 0;  ///< actions, of its iteration
    std::int32_t iteration = 0;
    std::int8_t at = 0, filled = 0;  ///< in its buffer
  };
  LaterQueue<int> ending_;  ///< stages, by the end of what they run; of equal times the order does not matter: all messages of an instant are posted after it
  std::vector<Receives> receives_;
  std::vector<Action> ahead_;  ///< what it looks at, beside the actions that run
  std::optional<CommStreams> streams_;
  // without
  std::vector<int> turns_;
  std::size_t first_turn_ = 0, queued_ = 0;
};

}  // namespace

Ns Simulated::longest_window() const {
  Ns longest = 0;
  for (const StageTotals& stage : stages) longest = std::max(longest, stage.end - stage.begin);
  return longest;
}

double Simulated::bubble_ratio() const {
  if (makespan == 0) return 0;
  double busy = 0;
  for (const StageTotals& stage : stages) busy += static_cast<double>(stage.busy);
  return 1.0 - busy / (static_cast<double>(makespan) * static_cast<double>(stages.size()));
}

Simulated simulate(const Program& program, const Costs& costs, int iterations, bool keep, const Watch& watch) {
  if (costs.link.asks() && !program.meets()) return Engine<Mode::asks>(program, costs, iterations, keep, watch).run();
  if (costs.link.ports && costs.link.wire_ns() > 0) return Engine<Mode::ports>(program, costs, iterations, keep, watch).run();
  return Engine<Mode::turns>(program, costs, iterations, keep, watch).run();
}

}  // namespace p2plab::schedule
