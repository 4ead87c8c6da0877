// Small random message-passing programs and a machine that runs them by the letter of the rules: slow, simple, and with
// nothing in common with app/analysis. While it runs it writes the trace that the runtime would have recorded.
#pragma once
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "tests/analysis/hand_made.h"

namespace random_program {

/// One send or receive of the program text.
struct OpText {
  int rank = 0;
  bool send = false;
  int peer = 0;       ///< -1: any source
  int tag = 0;        ///< -1: any tag
  bool eager = false; ///< the send is complete at once
};

enum class Verb { blocking, start, wait_all, wait_any, group, collective, enqueue, enqueue_wait, wait_event, leave };

struct Call {
  Verb verb = Verb::leave;
  std::vector<int> ops;  ///< by index; of an event: the enqueued operation it follows
  int lane = 0;          ///< 0 host, 1 comm, 2 compute: where an enqueued call runs
};

struct Program {
  int ranks = 0;
  int lanes = 1;  ///< of each rank
  std::vector<OpText> ops;
  std::vector<std::vector<Call>> text;  ///< by rank
  std::vector<int> lane_of_op;          ///< lane an operation is enqueued on, 0 if it is not
};

Program make_program(std::mt19937& random);

class Machine {
 public:
  Machine(const Program& program, bool record);
  /// Makes one random step of those possible; false if none is.
  bool step(std::mt19937& random);
  bool finished() const;

  /// Index of the matched partner, -1 if none.
  int partner(int op) const { return ops_[static_cast<std::size_t>(op)].partner; }
  hand_made::SpanId flight(int op) const { return ops_[static_cast<std::size_t>(op)].recorded.flight; }
  /// Makes the trace's thread samples those of this moment.
  void sample();
  /// The stuck lanes, found by trying every set of lanes.
  std::set<hand_made::TrackId> stuck_by_brute_force() const;
  /// How far each lane has come.
  std::vector<std::size_t> progress() const;
  hand_made::TrackId track(std::size_t lane) const { return lanes_[lane].track; }
  std::size_t lanes() const { return lanes_.size(); }
  hand_made::Run& run() { return run_; }

 private:
  struct OpState {
    bool posted = false, complete = false;
    int partner = -1;
    hand_made::Op recorded;
  };
  struct Lane {
    int rank = 0, number = 0;
    std::vector<Call> queue;  ///< of the host: the whole text
    std::size_t done = 0;
    bool entered = false, gone = false;
    hand_made::SpanId span = hand_made::kNoIndex;
    hand_made::TrackId track = 0;
  };
  using LaneSet = std::uint32_t;  ///< a bit for each lane

  const Call* current(const Lane& lane) const { return lane.done < lane.queue.size() ? &lane.queue[lane.done] : nullptr; }
  bool can_act(std::size_t lane) const;
  void act(std::size_t lane);
  void enter(Lane& lane, const Call& call);
  void leave(Lane& lane, const Call& call);
  bool released(const Lane& lane, const Call& call) const;
  void post(int op, Lane& lane, bool blocking);
  void match(int op);
  bool fits(int send, int receive) const;
  bool event_reached(int op) const { return reached_.count(op) != 0; }
  std::size_t index(int rank, int number) const { return static_cast<std::size_t>(rank * program_.lanes + number); }
  Lane& lane_at(int rank, int number) { return lanes_[index(rank, number)]; }
  std::vector<LaneSet> needs(const Lane& lane, bool& any) const;
  LaneSet lanes_of(int rank) const;

  Program program_;
  bool record_;
  std::vector<OpState> ops_;
  std::vector<Lane> lanes_;          ///< three for each rank
  std::vector<int> posted_;          ///< operations in the order in which they were posted
  std::set<int> reached_;            ///< operations whose event has been reached
  std::vector<int> collectives_;     ///< entered so far, by rank
  hand_made::Ns now_ = 0;
  hand_made::Run run_;
};

}  // namespace random_program
