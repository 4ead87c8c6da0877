// The random programs and the machine that runs them.
#include "tests/analysis/random_program.h"

#include <algorithm>
#include <utility>

namespace random_program {

using namespace hand_made;

namespace {

const char* const kLanes[] = {"host", "comm", "compute"};

int below(std::mt19937& random, int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
bool chance(std::mt19937& random, int percent) { return below(random, 100) < percent; }

// Programs start as a list of messages, so that many of them end, and are then disturbed, so that many do not.
class Writer {
 public:
  explicit Writer(std::mt19937& random) : random_(random) {
    lanes_ = chance(random_, 40);
    program_.lanes = lanes_ ? 3 : 1;
    program_.ranks = 2 + below(random_, lanes_ ? 2 : 4);  // every set of lanes is tried later
    program_.text.resize(static_cast<std::size_t>(program_.ranks));
    open_.resize(program_.text.size());
    enqueued_.resize(program_.text.size());
    eager_percent_ = below(random_, 3) * 50;
    wildcards_ = !lanes_ && chance(random_, 30);
  }

  Program write() {
    const int messages = 2 + below(random_, 7);
    for (int i = 0; i < messages; ++i) {
      if (chance(random_, 12)) {
        for (int rank = 0; rank < program_.ranks; ++rank) add(rank, {Verb::collective, {}, 0});
      } else if (chance(random_, 15)) {
        exchange();
      } else {
        message();
      }
      for (int rank = 0; rank < program_.ranks; ++rank) maybe_wait(rank);
    }
    for (int rank = 0; rank < program_.ranks; ++rank) {
      auto& open = open_[static_cast<std::size_t>(rank)];
      if (!open.empty() && chance(random_, 85)) add(rank, {Verb::wait_all, std::exchange(open, {}), 0});
    }
    for (auto& text : program_.text) disturb(text);
    for (std::size_t rank = 0; rank < program_.text.size(); ++rank) {
      for (const int op : enqueued_[rank]) program_.text[rank].push_back({Verb::wait_event, {op}, 0});
      program_.text[rank].push_back({Verb::leave, {}, 0});
    }
    return program_;
  }

 private:
  void add(int rank, Call call) { program_.text[static_cast<std::size_t>(rank)].push_back(std::move(call)); }

  int op(int rank, bool send, int peer, int tag) {
    if (!send && wildcards_ && chance(random_, 40)) peer = kNone;
    if (!send && wildcards_ && chance(random_, 20)) tag = kNone;
    program_.ops.push_back({rank, send, peer, tag, chance(random_, eager_percent_)});
    program_.lane_of_op.push_back(0);
    return static_cast<int>(program_.ops.size()) - 1;
  }

  void message() {
    const int source = below(random_, program_.ranks);
    const int destination = chance(random_, 3) ? source : (source + 1 + below(random_, program_.ranks - 1)) % program_.ranks;
    // Lanes of a rank post in no given order, so with lanes each message has a tag of its own.
    const int tag = lanes_ ? static_cast<int>(program_.ops.size()) + 1 : below(random_, 2);
    if (!chance(random_, 4)) call(source, op(source, true, destination, tag));
    if (!chance(random_, 4)) call(destination, op(destination, false, source, tag));
  }

  void exchange() {
    const int a = below(random_, program_.ranks);
    const int b = (a + 1 + below(random_, program_.ranks - 1)) % program_.ranks;
    const int tag = lanes_ ? 1000 + static_cast<int>(program_.ops.size()) : 0;
    for (const auto& [rank, peer] : {std::pair{a, b}, std::pair{b, a}}) {
      const int send = op(rank, true, peer, tag + (rank == a ? 0 : 1));
      const int receive = op(rank, false, peer, tag + (rank == a ? 1 : 0));
      add(rank, {Verb::group, {send, receive}, 0});
    }
  }

  void call(int rank, int op) {
    const auto r = static_cast<std::size_t>(rank);
    if (lanes_ && chance(random_, 50)) {
      const int lane = 1 + below(random_, 2);
      program_.lane_of_op[static_cast<std::size_t>(op)] = lane;
      add(rank, {Verb::enqueue, {op}, lane});
      enqueued_[r].push_back(op);
    } else if (chance(random_, 50)) {
      add(rank, {Verb::blocking, {op}, 0});
    } else {
      add(rank, {Verb::start, {op}, 0});
      open_[r].push_back(op);
    }
  }

  void maybe_wait(int rank) {
    const auto r = static_cast<std::size_t>(rank);
    auto& open = open_[r];
    if (!open.empty() && chance(random_, 30)) {
      std::shuffle(open.begin(), open.end(), random_);
      const auto count = static_cast<std::ptrdiff_t>(1 + below(random_, static_cast<int>(open.size())));
      Call wait{chance(random_, 70) ? Verb::wait_all : Verb::wait_any, {open.begin(), open.begin() + count}, 0};
      if (wait.verb == Verb::wait_all) open.erase(open.begin(), open.begin() + count);
      add(rank, std::move(wait));
    }
    if (!enqueued_[r].empty() && chance(random_, 20)) {
      const int op = enqueued_[r][static_cast<std::size_t>(below(random_, static_cast<int>(enqueued_[r].size())))];
      const int other = 3 - program_.lane_of_op[static_cast<std::size_t>(op)];
      add(rank, chance(random_, 50) ? Call{Verb::wait_event, {op}, 0} : Call{Verb::enqueue_wait, {op}, other});
    }
  }

  // Swaps neighbours, but never a wait before what it waits for.
  void disturb(std::vector<Call>& text) {
    for (std::size_t i = 1; i < text.size(); ++i) {
      if (!chance(random_, 12)) continue;
      const bool related = std::any_of(text[i].ops.begin(), text[i].ops.end(), [&](int op) {
        return std::count(text[i - 1].ops.begin(), text[i - 1].ops.end(), op) != 0;
      });
      if (!related) std::swap(text[i], text[i - 1]);
    }
  }

  std::mt19937& random_;
  Program program_;
  std::vector<std::vector<int>> open_, enqueued_;  ///< by rank
  int eager_percent_ = 0;
  bool wildcards_ = false, lanes_ = false;
};

}  // namespace

Program make_program(std::mt19937& random) { return Writer(random).write(); }

Machine::Machine(const Program& program, bool record)
    : program_(program),
      record_(record),
      ops_(program.ops.size()),
      collectives_(static_cast<std::size_t>(program.ranks)),
      run_(program.ranks) {
  for (int rank = 0; rank < program.ranks; ++rank) {
    for (int number = 0; number < program.lanes; ++number) {
      Lane lane;
      lane.rank = rank;
      lane.number = number;
      if (number == 0) lane.queue = program.text[static_cast<std::size_t>(rank)];
      lane.track = run_.track(rank, kLanes[number]);
      lanes_.push_back(std::move(lane));
    }
  }
  if (record_) sample();  // the worker lanes and their owner are known from the start
}

bool Machine::finished() const {
  return std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.gone; });
}

bool Machine::can_act(std::size_t index) const {
  const Lane& lane = lanes_[index];
  const Call* call = current(lane);
  if (lane.gone || call == nullptr) return false;
  return !lane.entered || released(lane, *call);
}

bool Machine::step(std::mt19937& random) {
  // What may happen next: a lane acts, or one side of a matched pair becomes complete.
  std::vector<std::pair<bool, std::size_t>> possible;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (can_act(i)) possible.emplace_back(true, i);
  }
  for (std::size_t i = 0; i < ops_.size(); ++i) {
    if (ops_[i].partner >= 0 && !ops_[i].complete) possible.emplace_back(false, i);
  }
  if (possible.empty()) return false;
  const auto [is_lane, index] = possible[random() % possible.size()];
  ++now_;
  if (is_lane) {
    act(index);
  } else {
    ops_[index].complete = true;
    if (record_) run_.trace.end(ops_[index].recorded.flight, now_);
  }
  return true;
}

void Machine::act(std::size_t index) {
  Lane& lane = lanes_[index];
  const Call call = *current(lane);
  if (!lane.entered) {
    enter(lane, call);
  } else {
    leave(lane, call);
  }
}

void Machine::enter(Lane& lane, const Call& call) {
  const std::string name = kLanes[lane.number];
  switch (call.verb) {
    case Verb::blocking: post(call.ops[0], lane, true); break;
    case Verb::start: post(call.ops[0], lane, false); break;
    case Verb::group:
      if (record_) {
        const auto part = [&](int op) {
          const OpText& text = program_.ops[static_cast<std::size_t>(op)];
          return std::tuple{text.send ? Kind::send : Kind::receive, text.peer, text.tag};
        };
        const auto [span, recorded] = run_.group(lane.rank, {part(call.ops[0]), part(call.ops[1])}, now_, {.lane = name, .blocking = true});
        lane.span = span;
        for (std::size_t i = 0; i < 2; ++i) ops_[static_cast<std::size_t>(call.ops[i])].recorded = recorded[i];
      }
      for (const int op : call.ops) match(op);
      break;
    case Verb::wait_all:
    case Verb::wait_any:
      if (record_) {
        lane.span = run_.wait(lane.rank, {}, now_, call.verb == Verb::wait_any, {.lane = name});
        for (const int op : call.ops) {
          run_.trace.add(WaitTarget{lane.span, ops_[static_cast<std::size_t>(op)].recorded.request});
        }
      }
      break;
    case Verb::collective: {
      const int sequence = collectives_[static_cast<std::size_t>(lane.rank)]++;
      if (record_) lane.span = run_.collective(lane.rank, sequence, now_, {.lane = name});
      break;
    }
    case Verb::enqueue: {
      // The operation, and the event behind it: an enqueue of the event is marked by the verb `leave` on a worker.
      Lane& worker = lane_at(lane.rank, call.lane);
      worker.queue.push_back({Verb::blocking, call.ops, call.lane});
      worker.queue.push_back({Verb::leave, call.ops, call.lane});
      if (record_) run_.trace.event_recorded(lane.rank, static_cast<std::uint64_t>(call.ops[0]) + 1, worker.track, now_);
      break;
    }
    case Verb::enqueue_wait: lane_at(lane.rank, call.lane).queue.push_back({Verb::wait_event, call.ops, call.lane}); break;
    case Verb::wait_event:
      if (record_) {
        const int target = program_.lane_of_op[static_cast<std::size_t>(call.ops[0])];
        lane.span = run_.wait_for_event(lane.rank, kLanes[target], static_cast<std::uint64_t>(call.ops[0]) + 1, now_, {.lane = name});
      }
      break;
    case Verb::leave:
      if (lane.number != 0) {
        reached_.insert(call.ops[0]);
        if (record_) run_.trace.event_reached(lane.rank, static_cast<std::uint64_t>(call.ops[0]) + 1, now_);
      }
      break;
  }
  const bool at_once = call.verb == Verb::start || call.verb == Verb::enqueue || call.verb == Verb::enqueue_wait ||
                       (call.verb == Verb::leave && lane.number != 0);
  lane.entered = !at_once;
  if (at_once) ++lane.done;
}

void Machine::leave(Lane& lane, const Call& call) {
  lane.entered = false;
  ++lane.done;
  if (call.verb == Verb::leave) {
    for (int number = 0; number < program_.lanes; ++number) lane_at(lane.rank, number).gone = true;
    return;
  }
  if (record_) run_.trace.end(std::exchange(lane.span, kNoIndex), now_);
}

bool Machine::released(const Lane& lane, const Call& call) const {
  const auto complete = [&](int op) { return ops_[static_cast<std::size_t>(op)].complete; };
  switch (call.verb) {
    case Verb::wait_any: return std::any_of(call.ops.begin(), call.ops.end(), complete);
    case Verb::wait_event: return event_reached(call.ops[0]);
    case Verb::collective: {
      const int mine = collectives_[static_cast<std::size_t>(lane.rank)];
      return std::all_of(collectives_.begin(), collectives_.end(), [&](int entered) { return entered >= mine; });
    }
    case Verb::leave:  // the rank drains its lanes before it leaves
      return std::all_of(lanes_.begin(), lanes_.end(), [&](const Lane& worker) {
        return worker.rank != lane.rank || worker.number == 0 || current(worker) == nullptr;
      });
    default: return std::all_of(call.ops.begin(), call.ops.end(), complete);
  }
}

void Machine::post(int op, Lane& lane, bool blocking) {
  const OpText& text = program_.ops[static_cast<std::size_t>(op)];
  if (record_) {
    OpState& state = ops_[static_cast<std::size_t>(op)];
    state.recorded = run_.post(lane.rank, text.send ? Kind::send : Kind::receive, text.peer, text.tag, now_,
                               {.lane = kLanes[lane.number], .blocking = blocking});
    if (blocking) {
      lane.span = state.recorded.call;
    } else {
      run_.returned(state.recorded, now_);
    }
  }
  match(op);
}

bool Machine::fits(int send, int receive) const {
  const OpText& s = program_.ops[static_cast<std::size_t>(send)];
  const OpText& r = program_.ops[static_cast<std::size_t>(receive)];
  return s.send && !r.send && s.peer == r.rank && (r.peer == kNone || r.peer == s.rank) && (r.tag == kNone || r.tag == s.tag);
}

void Machine::match(int op) {
  OpState& state = ops_[static_cast<std::size_t>(op)];
  const OpText& text = program_.ops[static_cast<std::size_t>(op)];
  state.posted = true;
  for (const int other : posted_) {
    OpState& theirs = ops_[static_cast<std::size_t>(other)];
    if (theirs.partner >= 0 || !(text.send ? fits(op, other) : fits(other, op))) continue;
    state.partner = other;
    theirs.partner = op;
    break;
  }
  posted_.push_back(op);
  if (text.send && text.eager) {
    state.complete = true;
    if (record_) run_.trace.end(state.recorded.flight, now_);
  }
}

void Machine::sample() {
  for (const Lane& lane : lanes_) {
    ThreadState state = ThreadState::running;
    if (lane.gone) {
      state = ThreadState::exited;
    } else if (lane.number != 0 && current(lane) == nullptr) {
      state = ThreadState::idle;
    } else if (lane.entered && lane.span != kNoIndex) {
      state = ThreadState::blocked;
    }
    run_.thread(lane.rank, state, state == ThreadState::blocked ? lane.span : kNoIndex, kLanes[lane.number]);
  }
}

Machine::LaneSet Machine::lanes_of(int rank) const {
  LaneSet out = 0;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (lanes_[i].rank == rank && !lanes_[i].gone) out |= 1u << i;
  }
  return out;
}

// What the lane still waits for: one set of lanes for each thing, any of which may bring it.
std::vector<Machine::LaneSet> Machine::needs(const Lane& lane, bool& any) const {
  any = false;
  std::vector<LaneSet> out;
  const Call* call = current(lane);
  if (call == nullptr) return {1u << index(lane.rank, 0)};  // idle
  if (call->verb == Verb::wait_event) {
    const int target = program_.lane_of_op[static_cast<std::size_t>(call->ops[0])];
    if (!event_reached(call->ops[0])) out.push_back(1u << index(lane.rank, target));
    return out;
  }
  if (call->verb == Verb::collective) {
    const int mine = collectives_[static_cast<std::size_t>(lane.rank)];
    for (int rank = 0; rank < program_.ranks; ++rank) {
      if (collectives_[static_cast<std::size_t>(rank)] < mine) out.push_back(lanes_of(rank));
    }
    return out;
  }
  any = call->verb == Verb::wait_any;
  for (const int op : call->ops) {
    const OpState& state = ops_[static_cast<std::size_t>(op)];
    if (state.complete || state.partner >= 0) {
      if (any) return {};
      continue;
    }
    LaneSet need = 0;
    const OpText& text = program_.ops[static_cast<std::size_t>(op)];
    for (int rank = 0; rank < program_.ranks; ++rank) {
      if (text.peer == kNone || text.peer == rank) need |= lanes_of(rank);
    }
    out.push_back(need);
  }
  return out;
}

std::set<TrackId> Machine::stuck_by_brute_force() const {
  struct Standing {
    std::size_t lane;
    bool any;
    std::vector<LaneSet> needs;
  };
  std::vector<Standing> standing;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const Lane& lane = lanes_[i];
    const bool idle = lane.number != 0 && current(lane) == nullptr;
    if (lane.gone || !(idle || (lane.entered && lane.span != kNoIndex))) continue;
    Standing s{i, false, {}};
    s.needs = needs(lane, s.any);
    if (!s.needs.empty()) standing.push_back(std::move(s));
  }
  // A set is closed if every lane in it has one (or, of a wait for any, all) of its needs in the hands of the set alone.
  // The union of closed sets is closed: it is the stuck set.
  LaneSet stuck = 0;
  for (std::uint32_t bits = 1; bits < (1u << standing.size()); ++bits) {
    LaneSet candidate = 0;
    for (std::size_t k = 0; k < standing.size(); ++k) candidate |= (bits >> k & 1u) << standing[k].lane;
    const auto held = [&](LaneSet need) { return (need & ~candidate) == 0; };
    bool closed = true;
    for (std::size_t k = 0; k < standing.size() && closed; ++k) {
      if ((bits >> k & 1u) == 0) continue;
      const auto& wanted = standing[k].needs;
      closed = standing[k].any ? std::all_of(wanted.begin(), wanted.end(), held)
                               : std::any_of(wanted.begin(), wanted.end(), held);
    }
    if (closed) stuck |= candidate;
  }
  std::set<TrackId> tracks;
  bool call = false;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if ((stuck >> i & 1u) == 0) continue;
    tracks.insert(lanes_[i].track);
    call = call || current(lanes_[i]) != nullptr;
  }
  return call ? tracks : std::set<TrackId>{};
}

std::vector<std::size_t> Machine::progress() const {
  std::vector<std::size_t> out;
  for (const Lane& lane : lanes_) out.push_back(2 * lane.done + (lane.entered ? 1 : 0));
  return out;
}

}  // namespace random_program
