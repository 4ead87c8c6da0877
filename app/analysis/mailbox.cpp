// First posted, first matched, wildcards included.
#include "app/analysis/mailbox.h"

#include <algorithm>

namespace p2plab::analysis {

std::optional<Pair> Mailbox::send(trace::SpanId send, int source, int tag) {
  const std::uint64_t order = order_++;
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

std::optional<Pair> Mailbox::receive(trace::SpanId receive, int source, int tag) {
  const std::uint64_t order = order_++;
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
