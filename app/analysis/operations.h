// What a trace says about communication so far, kept up to date as it grows: requests, who matches whom, which
// collectives each rank has entered, what open waits stand for. Shared by matching, the wait-for graph and the findings.
#pragma once
#include <map>
#include <unordered_map>
#include <vector>

#include "app/analysis/mailbox.h"
#include "app/trace/trace.h"

namespace p2plab::analysis {

/// One point-to-point operation of a rank.
struct Operation {
  trace::SpanId in_flight = trace::kNoIndex;  ///< from post to completion; kNoIndex: not posted yet
  trace::SpanId call = trace::kNoIndex;       ///< the call that posted it
  bool matched = false;
};

class Operations {
 public:
  /// Reads what is new; cost follows what is new, plus the number of open waits.
  void update(const trace::Trace& trace);

  /// Null if the rank never spoke of this request.
  const Operation* find(int rank, std::int32_t request) const;
  /// All pairs so far, in the order they were found.
  const std::vector<Pair>& pairs() const { return pairs_; }
  /// Spans in flight that have found no partner.
  std::vector<trace::SpanId> unmatched() const;
  /// True once the rank has entered collective number `sequence` of `comm`.
  bool entered(int rank, trace::NameId comm, std::int32_t sequence) const;
  /// What an open wait stands for; empty when nothing was recorded.
  const std::vector<trace::WaitTarget>& targets(trace::SpanId wait) const;

 private:
  Operation* at(int rank, std::int32_t request);
  void read_spans(const trace::Trace& trace);
  void read_targets(const trace::Trace& trace);

  std::size_t next_span_ = 0;
  std::size_t next_target_ = 0;
  std::vector<std::vector<Operation>> requests_;  ///< by rank and request
  std::map<std::pair<trace::NameId, int>, Mailbox> mailboxes_;  ///< by communicator and destination
  std::vector<Pair> pairs_;
  std::map<std::pair<int, trace::NameId>, std::int32_t> entered_;  ///< newest collective by rank and communicator
  std::unordered_map<trace::SpanId, std::vector<trace::WaitTarget>> open_waits_;
};

}  // namespace p2plab::analysis
