// MPI's matching rule for one communicator and one destination: among what fits, the first posted is the first matched
// (MPI 3.1, section 3.5). Sends and receives are given in the order they were posted.
#pragma once
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <vector>

#include "app/trace/trace.h"

namespace p2plab::analysis {

struct Pair {
  trace::SpanId send = trace::kNoIndex;
  trace::SpanId receive = trace::kNoIndex;
};

class Mailbox {
 public:
  std::optional<Pair> send(trace::SpanId send, int source, int tag);
  /// `source` and `tag` may be trace::kNone: any.
  std::optional<Pair> receive(trace::SpanId receive, int source, int tag);
  void append_unmatched(std::vector<trace::SpanId>& out) const;

 private:
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
};

}  // namespace p2plab::analysis
