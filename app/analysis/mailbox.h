// MPI's matching rule for one communicator and one destination: among what fits, the first posted is the first matched
// (MPI 4.1, section 3.5). Sends and receives are given in the order they were posted.
#pragma once
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "app/trace/trace.h"

namespace p2plab::analysis {

struct Pair {
  trace::SpanId send = trace::kNoIndex;
  trace::SpanId receive = trace::kNoIndex;
};

class Mailbox {
 public:
  /// Pairs that turned out otherwise once a wildcard's own message was known.
  struct Change {
    std::vector<Pair> broken, made;
  };
  std::optional<Pair> send(trace::SpanId send, int source, int tag);
  /// `source` and `tag` may be trace::kNone: any.
  std::optional<Pair> receive(trace::SpanId receive, int source, int tag);
  /// The wildcard `receive` got its message from `source` with `tag`, which shows after settle().
  void resolve(trace::SpanId receive, int source, int tag);
  /// The operation was cancelled, which shows after settle().
  void withdraw(trace::SpanId operation);
  /// What has to change in what was matched since. Cost follows what was posted since the first open wildcard, so it is asked once
  /// for many outcomes.
  Change settle();
  /// The oldest send without a receive that a receive or probe of `source` and `tag` would take; kNoIndex if there is none.
  trace::SpanId waiting_send(int source, int tag) const;
  void append_unmatched(std::vector<trace::SpanId>& out) const;

 private:
  /// What was posted since the first wildcard that is not resolved: enough to match all of it again.
  struct Entry {
    trace::SpanId span;
    bool is_send;
    int source, tag;
    std::uint64_t order;
    bool wild = false;       ///< and not resolved
    bool withdrawn = false;  ///< cancelled
  };
  std::optional<Pair> match_send(trace::SpanId send, int source, int tag, std::uint64_t order);
  std::optional<Pair> match_receive(trace::SpanId receive, int source, int tag, std::uint64_t order);
  void remember(const Entry& entry, const std::optional<Pair>& pair);
  Change match_again();
  void forget_settled();

  struct Posted {
    trace::SpanId span;
    std::uint64_t order;
  };
  struct Queue {
    std::deque<Posted> sends, receives;  ///< never both
  };
  struct Wildcard {
    Posted posted;
    int source, tag;
    bool fits(int s, int t) const {
      return (source == trace::kNone || source == s) && (tag == trace::kNone || tag == t);
    }
  };
  using Key = std::pair<int, int>;  ///< source and tag

  std::map<Key, Queue> queues_;  ///< none of them empty
  std::list<Wildcard> wildcards_;
  std::uint64_t order_ = 0;
  std::vector<Entry> log_;
  std::vector<Pair> log_pairs_;  ///< among the log, in the order found
  bool stale_ = false;           ///< an outcome contradicts them
  bool told_ = false;            ///< an outcome came since the log was last cut
  std::unordered_map<trace::SpanId, std::size_t> place_;  ///< in the log
  std::unordered_map<trace::SpanId, trace::SpanId> partner_;  ///< by log_pairs_, both ways
};

}  // namespace p2plab::analysis
