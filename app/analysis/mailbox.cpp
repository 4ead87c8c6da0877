// First posted, first matched, wildcards included.
#include "app/analysis/mailbox.h"

#include <algorithm>

namespace p2plab::analysis {

std::optional<Pair> Mailbox::send(trace::SpanId send, int source, int tag) {
  const std::uint64_t order = order_++;
  const auto pair = match_send(send, source, tag, order);
  remember({send, true, source, tag, order}, pair);
  return pair;
}

std::optional<Pair> Mailbox::receive(trace::SpanId receive, int source, int tag) {
  const std::uint64_t order = order_++;
  const bool wild = source == trace::kNone || tag == trace::kNone;
  if (wild && log_.empty()) {  // from here on: begin with what stands unmatched
    for (const auto& [key, queue] : queues_) {
      for (const Posted& posted : queue.sends) log_.push_back({posted.span, true, key.first, key.second, posted.order});
      for (const Posted& posted : queue.receives) log_.push_back({posted.span, false, key.first, key.second, posted.order});
    }
    std::sort(log_.begin(), log_.end(), [](const Entry& a, const Entry& b) { return a.order < b.order; });
    const auto pair = match_receive(receive, source, tag, order);
    log_.push_back({receive, false, source, tag, order, true});
    if (pair) log_pairs_.push_back(*pair);
    return pair;
  }
  const auto pair = match_receive(receive, source, tag, order);
  remember({receive, false, source, tag, order, wild}, pair);
  return pair;
}

void Mailbox::remember(const Entry& entry, const std::optional<Pair>& pair) {
  if (log_.empty()) return;
  log_.push_back(entry);
  if (pair) log_pairs_.push_back(*pair);
}

Mailbox::Change Mailbox::resolve(trace::SpanId receive, int source, int tag) {
  const auto entry = std::find_if(log_.begin(), log_.end(), [&](const Entry& e) { return e.span == receive && e.wild; });
  if (entry == log_.end()) return {};
  entry->wild = false;
  entry->source = source;
  entry->tag = tag;
  Change change;
  const auto pair = std::find_if(log_pairs_.begin(), log_pairs_.end(), [&](const Pair& p) { return p.receive == receive; });
  const auto sent = pair == log_pairs_.end() ? log_.end() : std::find_if(log_.begin(), log_.end(), [&](const Entry& e) { return e.span == pair->send; });
  if (sent == log_.end() || sent->source != source || sent->tag != tag) change = match_again();
  forget_if_settled();
  return change;
}

Mailbox::Change Mailbox::withdraw(trace::SpanId operation) {
  for (auto queue = queues_.begin(); queue != queues_.end(); ++queue) {
    for (auto* side : {&queue->second.sends, &queue->second.receives}) {
      std::erase_if(*side, [&](const Posted& posted) { return posted.span == operation; });
    }
    if (queue->second.sends.empty() && queue->second.receives.empty()) {
      queues_.erase(queue);
      break;
    }
  }
  wildcards_.remove_if([&](const Wildcard& w) { return w.posted.span == operation; });
  const auto entry = std::find_if(log_.begin(), log_.end(), [&](const Entry& e) { return e.span == operation; });
  if (entry == log_.end()) return {};
  log_.erase(entry);
  Change change = match_again();
  forget_if_settled();
  return change;
}

Mailbox::Change Mailbox::match_again() {
  queues_.clear();
  wildcards_.clear();
  std::vector<Pair> pairs;
  for (const Entry& entry : log_) {
    const auto pair = entry.is_send ? match_send(entry.span, entry.source, entry.tag, entry.order)
                                    : match_receive(entry.span, entry.source, entry.tag, entry.order);
    if (pair) pairs.push_back(*pair);
  }
  const auto among = [](const std::vector<Pair>& all, const Pair& pair) {
    return std::any_of(all.begin(), all.end(), [&](const Pair& p) { return p.send == pair.send && p.receive == pair.receive; });
  };
  Change change;
  for (const Pair& pair : log_pairs_) {
    if (!among(pairs, pair)) change.broken.push_back(pair);
  }
  for (const Pair& pair : pairs) {
    if (!among(log_pairs_, pair)) change.made.push_back(pair);
  }
  log_pairs_ = std::move(pairs);
  return change;
}

void Mailbox::forget_if_settled() {
  if (std::any_of(log_.begin(), log_.end(), [](const Entry& entry) { return entry.wild; })) return;
  log_.clear();
  log_pairs_.clear();
}

trace::SpanId Mailbox::waiting_send(int source, int tag) const {
  const Wildcard wanted{{trace::kNoIndex, 0}, source, tag};
  const Posted* first = nullptr;
  for (const auto& [key, queue] : queues_) {
    if (queue.sends.empty() || !wanted.fits(key.first, key.second)) continue;
    if (first == nullptr || queue.sends.front().order < first->order) first = &queue.sends.front();
  }
  return first == nullptr ? trace::kNoIndex : first->span;
}

std::optional<Pair> Mailbox::match_send(trace::SpanId send, int source, int tag, std::uint64_t order) {
  const auto queue = queues_.try_emplace(Key{source, tag}).first;
  std::deque<Posted>& exact = queue->second.receives;
  const auto wild = std::find_if(wildcards_.begin(), wildcards_.end(), [&](const Wildcard& w) { return w.fits(source, tag); });

  std::optional<Pair> pair;
  if (wild != wildcards_.end() && (exact.empty() || wild->posted.order < exact.front().order)) {
    pair = Pair{send, wild->posted.span};
    wildcards_.erase(wild);
  } else if (!exact.empty()) {
    pair = Pair{send, exact.front().span};
    exact.pop_front();
  } else {
    queue->second.sends.push_back({send, order});
  }
  if (queue->second.sends.empty() && queue->second.receives.empty()) queues_.erase(queue);
  return pair;
}

std::optional<Pair> Mailbox::match_receive(trace::SpanId receive, int source, int tag, std::uint64_t order) {
  const bool exact = source != trace::kNone && tag != trace::kNone;
  const Wildcard wanted{{receive, order}, source, tag};

  auto found = queues_.end();
  if (exact) {
    found = queues_.find(Key{source, tag});
  } else {
    for (auto it = queues_.begin(); it != queues_.end(); ++it) {
      if (it->second.sends.empty() || !wanted.fits(it->first.first, it->first.second)) continue;
      if (found == queues_.end() || it->second.sends.front().order < found->second.sends.front().order) found = it;
    }
  }
  if (found != queues_.end() && !found->second.sends.empty()) {
    const Pair pair{found->second.sends.front().span, receive};
    found->second.sends.pop_front();
    if (found->second.sends.empty()) queues_.erase(found);
    return pair;
  }
  if (exact) {
    queues_[Key{source, tag}].receives.push_back({receive, order});
  } else {
    wildcards_.push_back(wanted);
  }
  return std::nullopt;
}

void Mailbox::append_unmatched(std::vector<trace::SpanId>& out) const {
  for (const auto& [key, queue] : queues_) {
    for (const Posted& posted : queue.sends) out.push_back(posted.span);
    for (const Posted& posted : queue.receives) out.push_back(posted.span);
  }
  for (const Wildcard& wildcard : wildcards_) out.push_back(wildcard.posted.span);
}

}  // namespace p2plab::analysis
