// The virtual world that rank programs share: it owns the clock, matches messages, and says when each operation is done.
// It knows no processes and no sockets; whoever carries its words to the ranks asks it what happens next.
//
// Every rank runs until none of its lanes can go on, and then is quiet. When all are quiet the clock moves to the next
// instant at which anything happens. So the result depends on the programs alone, never on the machine's load.
#pragma once
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "app/schedule/costs.h"

namespace p2plab::schedule {

constexpr Ns kNoDeadline = std::numeric_limits<Ns>::max();

/// Names an operation: who posted it, and its number there.
struct OperationId {
  int rank = 0;
  std::uint32_t number = 0;
  auto operator<=>(const OperationId&) const = default;
};

/// A send or a receive as it was posted.
struct HubMessage {
  OperationId id;
  bool send = true;
  int peer = 0, tag = 0;
  std::uint64_t bytes = 0;
  bool synchronous = false;  ///< of a send: done only once it is matched and has left
};

/// What a collective costs on top of waiting for the last rank.
struct HubCollective {
  OperationId id;
  std::uint64_t bytes = 0;   ///< of one rank
  double rounds = 0;         ///< latencies
  double share = 0;          ///< of the bytes that pass a port
  int group = 0;             ///< 0: all ranks
  std::vector<int> members{};  ///< of a group
  /// Of a broadcast: who has the bytes, a rank of the world. Up to the eager limit he leaves at once, and the others need
  /// nobody but him; above it, and where nobody is named, all leave together.
  int root = -1;
};

/// What the hub has decided.
struct HubEvent {
  enum class Kind : std::uint8_t {
    fetch,      ///< the bytes of the send `id` leave its rank now: read them
    done,       ///< the operation `id` is complete; of a receive: with the bytes of the send `from`
    collected,  ///< all ranks of the group `id.rank` (0: all there are) have posted its collective number `id.number`, which is complete
    given,      ///< the operation `id` is complete: its part of the collective number `from.number` of the group `from.rank`, a broadcast
    truncated,  ///< the receive `id` is shorter than the send `from`
  };
  Kind kind = Kind::done;
  OperationId id;
  std::optional<OperationId> from;
};

class Hub {
 public:
  /// `link.bytes` is ignored: every message has its own.
  Hub(int ranks, const LinkCost& link);

  Ns now() const { return now_; }
  void post(const HubMessage& message);
  /// The n-th collective of each rank on a group is the same one.
  void post(const HubCollective& collective);
  /// A rank has nothing to do before `deadline`.
  void quiet(int rank, Ns deadline);
  /// A rank takes part no more: what it has not posted it never will.
  void left(int rank);

  bool all_quiet() const { return running_ == 0; }
  /// Call when all are quiet: moves the clock to the next instant and says what happens then, in order. False: nothing
  /// ever will. Ranks that are given something, or whose deadline has come, run again (see wakes()).
  bool advance(std::vector<HubEvent>& events);
  /// The ranks that run again after advance().
  const std::vector<int>& wakes() const { return wakes_; }

 private:
  struct Rank {
    bool quiet = false, gone = false;
    Ns deadline = kNoDeadline;
    Ns send_free = 0, receive_free = 0;
    std::map<int, std::uint32_t> collectives;  ///< by group
    std::vector<HubMessage> posted;  ///< in this instant
  };
  struct Later {
    Ns when;
    std::uint64_t sequence;
    HubEvent event;
    bool operator>(const Later& other) const { return std::tie(when, sequence) > std::tie(other.when, other.sequence); }
  };
  using Key = std::tuple<int, int, int>;  ///< from, to, tag

  void settle();
  void match(const HubMessage& message);
  Ns cost(const HubCollective& collective) const;
  void transfer(const HubMessage& send, const HubMessage& receive);
  void send_off(const HubMessage& send);
  void later(Ns when, const HubEvent& event) { later_.push({when, sequence_++, event}); }
  Rank& rank(int r) { return ranks_[static_cast<std::size_t>(r)]; }

  struct Gathered {
    int count = 0;
    HubCollective what;
    std::optional<Ns> arrives;         ///< of a broadcast that waits for nobody: when the root's bytes are everywhere
    std::vector<OperationId> waiting;  ///< for them
  };
  void pass_on(Gathered& gathered, const HubCollective& mine, const OperationId& which);
  /// A send whose bytes travel before anybody has asked for them.
  struct OnTheWay {
    HubMessage send;
    Ns arrives = 0;
  };

  LinkCost link_;
  Ns now_ = 0;
  int running_;
  std::vector<Rank> ranks_;
  std::map<Key, std::queue<HubMessage>> receives_, sends_;  ///< unmatched; sends that wait for their receive
  std::map<Key, std::queue<OnTheWay>> early_;               ///< unmatched; sends that have left
  std::map<std::pair<int, std::uint32_t>, Gathered> gathered_;  ///< by group and number
  std::map<int, std::vector<int>> members_;                     ///< of groups
  std::priority_queue<Later, std::vector<Later>, std::greater<>> later_;
  std::uint64_t sequence_ = 0;
  std::vector<int> wakes_;
};

}  // namespace p2plab::schedule
