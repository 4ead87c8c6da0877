// First posted, first matched, wildcards included.
#include "app/analysis/mailbox.h"

#include <algorithm>

namespace p2plab::analysis {

std::optional<Pair> Mailbox::send(trace::SpanId send, int source, int tag) {
  const std::uint64_t order = order_++;
  const auto pair = match_send(send, source, tag, order);
  if (!log_.empty()) remember({send, true, source, tag, order}, pair);
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
    for (std::size_t i = 0; i < log_.size(); ++i) place_[log_[i].span] = i;
  }
  const auto pair = match_receive(receive, source, tag, order);
  if (wild || !log_.empty()) remember({receive, false, source, tag, order, wild}, pair);
  return pair;
}

void Mailbox::remember(const Entry& entry, const std::optional<Pair>& pair) {
  place_[entry.span] = log_.size();
  log_.push_back(entry);
  if (!pair) return;
  log_pairs_.push_back(*pair);
  partner_[pair->send] = pair->receive;
  partner_[pair->receive] = pair->send;
}

void Mailbox::resolve(trace::SpanId receive, int source, int tag) {
  const auto place = place_.find(receive);
  if (place == place_.end() || !log_[place->second].wild) return;
  Entry& entry = log_[place->second];
  entry.wild = false;
  entry.source = source;
  entry.tag = tag;
  told_ = true;
  const auto seeming = partner_.find(receive);
  const Entry* sent = seeming == partner_.end() ? nullptr : &log_[place_.at(seeming->second)];
  stale_ = stale_ || sent == nullptr || sent->source != source || sent->tag != tag;
}

void Mailbox::withdraw(trace::SpanId operation) {
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
  const auto place = place_.find(operation);
  if (place == place_.end()) return;
  log_[place->second].withdrawn = true;
  log_[place->second].wild = false;
  stale_ = told_ = true;
}

Mailbox::Change Mailbox::settle() {
  Change change;
  if (stale_) change = match_again();
  if (told_) forget_settled();
  stale_ = told_ = false;
  return change;
}

Mailbox::Change Mailbox::match_again() {
  queues_.clear();
  wildcards_.clear();
  std::vector<Pair> pairs;
  std::unordered_map<trace::SpanId, trace::SpanId> partner;
  for (const Entry& entry : log_) {
    if (entry.withdrawn) continue;
    const auto pair = entry.is_send ? match_send(entry.span, entry.source, entry.tag, entry.order)
                                    : match_receive(entry.span, entry.source, entry.tag, entry.order);
    if (!pair) continue;
    pairs.push_back(*pair);
    partner[pair->send] = pair->receive;
    partner[pair->receive] = pair->send;
  }
  const auto among = [](const std::unordered_map<trace::SpanId, trace::SpanId>& all, const Pair& pair) {
    const auto it = all.find(pair.send);
    return it != all.end() && it->second == pair.receive;
  };
  Change change;
  for (const Pair& pair : log_pairs_) {
    if (!among(partner, pair)) change.broken.push_back(pair);
  }
  for (const Pair& pair : pairs) {
    if (!among(partner_, pair)) change.made.push_back(pair);
  }
  log_pairs_ = std::move(pairs);
  partner_ = std::move(partner);
  return change;
}

// No wildcard that is still open can take what was matched before it was posted.
void Mailbox::forget_settled() {
  const auto open = std::find_if(log_.begin(), log_.end(), [](const Entry& entry) { return entry.wild; });
  const auto before = static_cast<std::size_t>(open - log_.begin());
  const auto settled = [&](trace::SpanId span) {
    const auto partner = partner_.find(span);
    return open == log_.end() || (partner != partner_.end() && place_.at(span) < before && place_.at(partner->second) < before);
  };
  std::erase_if(log_pairs_, [&](const Pair& pair) { return settled(pair.send); });
  std::vector<Entry> kept;
  for (const Entry& entry : log_) {
    if (!entry.withdrawn && !settled(entry.span)) kept.push_back(entry);
  }
  log_ = std::move(kept);
  place_.clear();
  partner_.clear();
  for (std::size_t i = 0; i < log_.size(); ++i) place_[log_[i].span] = i;
  for (const Pair& pair : log_pairs_) {
    partner_[pair.send] = pair.receive;
    partner_[pair.receive] = pair.send;
  }
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
