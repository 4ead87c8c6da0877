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
  /// Grows when pairs that were already given turned out otherwise: then all of them are to be read again.
  std::uint64_t revision() const { return revision_; }
  /// The partner that the operation was matched with; kNoIndex if none is known.
  trace::SpanId partner(trace::SpanId operation) const;
  /// True for a send whose message a matched probe has taken and no receive has asked for yet: it waits for that rank.
  bool only_taken(const trace::Trace& trace, trace::SpanId send) const;
  /// A message that a probe of the open wait's rank would see; kNoIndex if there is none.
  trace::SpanId waiting_send(int rank, const trace::WaitTarget& probe) const;
  /// Spans in flight that have found no partner.
  std::vector<trace::SpanId> unmatched(const trace::Trace& trace) const;
  /// True once the rank has entered collective number `sequence` of `comm`.
  bool entered(int rank, trace::NameId comm, std::int32_t sequence) const;
  /// What an open wait stands for; empty when nothing was recorded.
  const std::vector<trace::WaitTarget>& targets(trace::SpanId wait) const;

 private:
  Operation* at(int rank, std::int32_t request);
  void read_spans(const trace::Trace& trace);
  void read_targets(const trace::Trace& trace);
  void read_outcomes(const trace::Trace& trace);
  void pair(const trace::Trace& trace, const Pair& pair);
  void settle(const trace::Trace& trace);
  void apply(const trace::Trace& trace, const std::vector<Mailbox::Change>& changes);
  Mailbox* mailbox_of(const trace::Trace& trace, trace::SpanId receive);

  std::size_t next_span_ = 0;
  std::size_t next_target_ = 0;
  std::vector<std::vector<Operation>> requests_;  ///< by rank and request
  std::map<std::pair<trace::NameId, int>, Mailbox> mailboxes_;  ///< by communicator and destination
  std::vector<Pair> pairs_;
  std::unordered_map<trace::SpanId, trace::SpanId> partners_;
  std::uint64_t revision_ = 0;
  std::size_t next_received_ = 0, next_withdrawn_ = 0;
  std::map<trace::SpanId, const trace::Received*> outcomes_;  ///< of wildcards, during an update
  std::map<std::pair<int, trace::NameId>, std::int32_t> entered_;  ///< newest collective by rank and communicator
  std::unordered_map<trace::SpanId, std::vector<trace::WaitTarget>> open_waits_;
};

}  // namespace p2plab::analysis
