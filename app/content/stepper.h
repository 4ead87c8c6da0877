// Ranks that are stepped by hand: each has a short program, the learner says who moves next, and tries to drive them into
// a deadlock. Blocking calls under MPI's matching rules: per pair in order, `any` in order of arrival.
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace p2plab::content {

class Stepper {
 public:
  enum class Moved { done, blocked, finished };

  /// One program a rank: "send 1; recv any; ssend 2; recv 0". A standard send returns at once while the receiver has fewer
  /// than `slots` messages waiting, else it waits for its receive; ssend always waits. Throws std::invalid_argument.
  Stepper(const std::vector<std::string>& programs, int slots);

  int ranks() const { return static_cast<int>(ranks_.size()); }
  /// Lets the rank make its next call: done, or blocked in it (it goes on by itself when its partner comes), or it had
  /// finished before.
  Moved step(int rank);
  bool finished(int rank) const;
  bool all_finished() const;
  /// Some rank has not finished, and all of those are blocked.
  bool deadlocked() const;
  bool blocked(int rank) const { return ranks_[static_cast<std::size_t>(rank)].posted; }
  /// The call that the rank makes next or is blocked in, "" when it has finished.
  std::string call(int rank) const;
  std::size_t done(int rank) const { return ranks_[static_cast<std::size_t>(rank)].at; }
  std::size_t length(int rank) const { return ranks_[static_cast<std::size_t>(rank)].program.size(); }

  /// The shortest sequence of ranks to step from here to a deadlock, or to the end of all.
  std::optional<std::vector<int>> way_to_deadlock() const { return way(true); }
  std::optional<std::vector<int>> way_to_end() const { return way(false); }

 private:
  enum class Kind { send, ssend, recv };
  static constexpr int kAny = -1;
  struct Call {
    Kind kind;
    int peer;
  };
  struct Rank {
    std::vector<Call> program;
    std::size_t at = 0;
    bool posted = false;
    std::deque<int> waiting;       ///< sources of buffered messages, in order of arrival
    std::vector<int> senders;      ///< ranks blocked in a send to this one, in order of posting
  };
  const Call& now(int rank) const { return ranks_[static_cast<std::size_t>(rank)].program[ranks_[static_cast<std::size_t>(rank)].at]; }
  void advance(int rank);
  bool wants(int receiver, int source) const;
  std::optional<std::vector<int>> way(bool deadlock) const;
  std::string state() const;

  std::vector<Rank> ranks_;
  int slots_;
};

}  // namespace p2plab::content
