// Reads new spans and wait targets once and keeps what later questions need.
#include "app/analysis/operations.h"

#include <algorithm>

namespace p2plab::analysis {

using trace::kNoIndex;
using trace::Span;
using trace::SpanId;
using trace::Trace;
using trace::WaitTarget;

namespace {

// Requests are numbered from 0 in each rank; a larger number is damage, not a request.
constexpr std::int32_t kMaxRequest = 1 << 26;

}  // namespace

void Operations::update(const Trace& trace) {
  read_outcomes(trace);
  read_spans(trace);
  settle(trace);
  read_targets(trace);
}

Operation* Operations::at(int rank, std::int32_t request) {
  if (rank < 0 || request < 0 || request >= kMaxRequest) return nullptr;
  const auto r = static_cast<std::size_t>(rank);
  const auto q = static_cast<std::size_t>(request);
  if (requests_.size() <= r) requests_.resize(r + 1);
  if (requests_[r].size() <= q) requests_[r].resize(std::max(q + 1, requests_[r].size() * 2));
  return &requests_[r][q];
}

const Operation* Operations::find(int rank, std::int32_t request) const {
  const auto r = static_cast<std::size_t>(rank);
  const auto q = static_cast<std::size_t>(request);
  if (rank < 0 || request < 0 || r >= requests_.size() || q >= requests_[r].size()) return nullptr;
  const Operation& operation = requests_[r][q];
  return operation.in_flight == kNoIndex && operation.call == kNoIndex ? nullptr : &operation;
}

void Operations::read_spans(const Trace& trace) {
  const bool tags = trace.run.semantics != "nccl";
  std::vector<SpanId> posts;
  for (; next_span_ < trace.spans().size(); ++next_span_) {
    const auto id = static_cast<SpanId>(next_span_);
    const Span& span = trace.span(id);
    const int rank = trace.tracks()[span.track].rank;
    const bool in_flight = (span.flags & trace::kInFlight) != 0;
    if (span.kind == trace::Kind::collective && span.sequence >= 0) {
      std::int32_t& newest = entered_.try_emplace({rank, span.comm}, trace::kNone).first->second;
      newest = std::max(newest, span.sequence);
    }
    if (!trace::is_communication(span.kind)) continue;
    if (in_flight && span.kind != trace::Kind::collective) posts.push_back(id);
    if (Operation* operation = at(rank, span.request)) {
      SpanId& slot = in_flight ? operation->in_flight : operation->call;
      if (slot == kNoIndex) slot = id;
    }
  }

  // Rings are read one after the other; posts of several threads are put in order here.
  std::stable_sort(posts.begin(), posts.end(),
                   [&](SpanId a, SpanId b) { return trace.span(a).begin < trace.span(b).begin; });
  for (const SpanId id : posts) {
    const Span& span = trace.span(id);
    const int rank = trace.tracks()[span.track].rank;
    const int tag = tags ? span.tag : 0;
    std::optional<Pair> pair;
    if (span.kind == trace::Kind::send) {
      pair = mailboxes_[{span.comm, span.peer}].send(id, rank, tag);
    } else if (const auto known = outcomes_.find(id); known != outcomes_.end()) {  // it was never open for us
      pair = mailboxes_[{span.comm, rank}].receive(id, known->second->peer, tags ? known->second->tag : 0);
      outcomes_.erase(known);
    } else {
      pair = mailboxes_[{span.comm, rank}].receive(id, span.peer, tag);
    }
    if (pair) this->pair(trace, *pair);
  }
}

void Operations::pair(const Trace& trace, const Pair& pair) {
  pairs_.push_back(pair);
  partners_[pair.send] = pair.receive;
  partners_[pair.receive] = pair.send;
  for (const SpanId side : {pair.send, pair.receive}) {
    const Span& matched = trace.span(side);
    if (Operation* operation = at(trace.tracks()[matched.track].rank, matched.request)) operation->matched = true;
  }
}

void Operations::apply(const Trace& trace, const std::vector<Mailbox::Change>& changes) {
  std::unordered_map<SpanId, SpanId> broken;
  for (const Mailbox::Change& change : changes) {
    for (const Pair& pair : change.broken) broken[pair.send] = pair.receive;
  }
  if (!broken.empty()) {
    ++revision_;
    std::erase_if(pairs_, [&](const Pair& p) {
      const auto it = broken.find(p.send);
      return it != broken.end() && it->second == p.receive;
    });
  }
  for (const auto& [send, receive] : broken) {
    for (const SpanId side : {send, receive}) {
      partners_.erase(side);
      const Span& span = trace.span(side);
      if (Operation* operation = at(trace.tracks()[span.track].rank, span.request)) operation->matched = false;
    }
  }
  for (const Mailbox::Change& change : changes) {
    for (const Pair& made : change.made) pair(trace, made);
  }
}

Mailbox* Operations::mailbox_of(const Trace& trace, SpanId id) {
  const Span& span = trace.span(id);
  const auto it = mailboxes_.find({span.comm, span.kind == trace::Kind::send ? span.peer : trace.tracks()[span.track].rank});
  return it == mailboxes_.end() ? nullptr : &it->second;
}

// Whom wildcards really matched.
void Operations::read_outcomes(const Trace& trace) {
  for (; next_received_ < trace.received().size(); ++next_received_) {
    const trace::Received& received = trace.received()[next_received_];
    const Span& span = trace.span(received.receive);
    if (span.peer == trace::kNone || span.tag == trace::kNone) outcomes_.emplace(received.receive, &received);
  }
}

// What of it concerns receives that were posted before, and what was cancelled.
void Operations::settle(const Trace& trace) {
  const bool tags = trace.run.semantics != "nccl";
  std::vector<Mailbox*> touched;  // in the order of their outcomes, so that the same trace gives the same pairs
  const auto touch = [&](Mailbox* mailbox) {
    if (std::find(touched.begin(), touched.end(), mailbox) == touched.end()) touched.push_back(mailbox);
  };
  for (const auto& [receive, received] : outcomes_) {
    Mailbox* mailbox = mailbox_of(trace, receive);
    if (mailbox == nullptr) continue;
    mailbox->resolve(receive, received->peer, tags ? received->tag : 0);
    touch(mailbox);
  }
  outcomes_.clear();
  for (; next_withdrawn_ < trace.withdrawn().size(); ++next_withdrawn_) {
    const SpanId id = trace.withdrawn()[next_withdrawn_];
    Mailbox* mailbox = mailbox_of(trace, id);
    if (mailbox == nullptr) continue;
    mailbox->withdraw(id);
    touch(mailbox);
  }
  std::vector<Mailbox::Change> changes;
  for (Mailbox* mailbox : touched) changes.push_back(mailbox->settle());
  apply(trace, changes);
}

SpanId Operations::partner(SpanId operation) const {
  const auto it = partners_.find(operation);
  return it == partners_.end() ? kNoIndex : it->second;
}

SpanId Operations::waiting_send(int rank, const WaitTarget& probe) const {
  const auto it = mailboxes_.find({probe.comm, rank});
  return it == mailboxes_.end() ? kNoIndex : it->second.waiting_send(probe.peer, probe.tag);
}

void Operations::read_targets(const Trace& trace) {
  std::erase_if(open_waits_, [&](const auto& entry) { return !trace.span(entry.first).open(); });
  for (; next_target_ < trace.wait_targets().size(); ++next_target_) {
    const WaitTarget& target = trace.wait_targets()[next_target_];
    const Span& wait = trace.span(target.wait);
    if ((wait.flags & trace::kGroup) != 0) {
      Operation* operation = at(trace.tracks()[wait.track].rank, target.request);
      if (operation != nullptr && operation->call == kNoIndex) operation->call = target.wait;
    }
    if (wait.open()) open_waits_[target.wait].push_back(target);
  }
}

bool Operations::only_taken(const Trace& trace, SpanId send) const {
  const SpanId receive = partner(send);
  if (receive == kNoIndex || (trace.span(receive).flags & trace::kPolling) == 0) return false;
  const Operation* operation = find(trace.rank_of(receive), trace.span(receive).request);
  return operation == nullptr || operation->call == kNoIndex;
}

std::vector<SpanId> Operations::unmatched(const Trace& trace) const {
  std::vector<SpanId> out;
  for (const auto& [key, mailbox] : mailboxes_) mailbox.append_unmatched(out);
  for (const Pair& pair : pairs_) {
    if (only_taken(trace, pair.send)) out.push_back(pair.send);
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool Operations::entered(int rank, trace::NameId comm, std::int32_t sequence) const {
  const auto it = entered_.find({rank, comm});
  return it != entered_.end() && it->second >= sequence;
}

const std::vector<WaitTarget>& Operations::targets(SpanId wait) const {
  static const std::vector<WaitTarget> kNothing;
  const auto it = open_waits_.find(wait);
  return it == open_waits_.end() ? kNothing : it->second;
}

}  // namespace p2plab::analysis
