// See hub.h.
#include "app/schedule/hub.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace p2plab::schedule {

namespace {

struct Way {
  Ns left = 0, gone = 0, arrives = 0;
};

/// The same rule as the engine's: a port of each side is busy for n/beta, in the order in which messages became ready.
Way way(const LinkCost& link, const HubMessage& send, Ns now, Ns& send_free, Ns& receive_free) {
  LinkCost one = link;
  one.bytes = send.bytes;
  const Ns wire = one.wire_ns();
  Way out{now, now, now};
  if (send.peer == send.id.rank) return out;
  if (one.ports && wire > 0) {
    out.left = std::max({now, send_free, receive_free});
    send_free = receive_free = add(out.left, wire);
  }
  out.gone = add(out.left, wire);
  out.arrives = add(out.left, one.delay_ns(send.id.rank, send.peer));
  return out;
}

}  // namespace

Hub::Hub(int ranks, const LinkCost& link) : link_(link), running_(ranks), ranks_(static_cast<std::size_t>(ranks)) {}

void Hub::post(const HubMessage& message) { rank(message.id.rank).posted.push_back(message); }

Ns Hub::cost(const HubCollective& collective) const {
  const double wire = link_.bytes_per_s > 0 ? static_cast<double>(collective.bytes) * collective.share / link_.bytes_per_s * 1e9 : 0;
  return static_cast<Ns>(std::llround(collective.rounds * static_cast<double>(link_.latency_ns) + wire));
}

void Hub::post(const HubCollective& collective) {
  const std::uint32_t number = rank(collective.id.rank).collectives[collective.group]++;
  const std::pair key{collective.group, number};
  if (collective.group != 0) members_.try_emplace(collective.group, collective.members);
  Gathered& gathered = gathered_[key];
  gathered.what.bytes = std::max(gathered.what.bytes, collective.bytes);
  gathered.what.rounds = collective.rounds;
  gathered.what.share = collective.share;
  const bool eager = collective.root >= 0 && collective.bytes <= link_.eager_limit;
  if (eager) pass_on(gathered, collective, {collective.group, number});
  if (++gathered.count < static_cast<int>(collective.group != 0 ? collective.members.size() : ranks_.size())) return;
  if (!eager) later(add(now_, cost(gathered.what)), {HubEvent::Kind::collected, {collective.group, number}, std::nullopt});
  gathered_.erase(key);
}

/// The bytes of an eager broadcast lie where they are needed, whoever comes late for them.
void Hub::pass_on(Gathered& gathered, const HubCollective& mine, const OperationId& which) {
  const auto give = [&](const OperationId& to, Ns when) { later(when, {HubEvent::Kind::given, to, which}); };
  if (mine.id.rank == mine.root) {
    gathered.arrives = add(now_, cost(mine));
    give(mine.id, now_);
    for (const OperationId& one : gathered.waiting) give(one, *gathered.arrives);
  } else if (gathered.arrives) {
    give(mine.id, std::max(now_, *gathered.arrives));
  } else {
    gathered.waiting.push_back(mine.id);
  }
}

void Hub::quiet(int r, Ns deadline) {
  Rank& one = rank(r);
  if (!one.quiet && !one.gone) --running_;
  one.quiet = true;
  one.deadline = deadline;
}

void Hub::left(int r) {
  Rank& one = rank(r);
  if (!one.quiet && !one.gone) --running_;
  one.gone = true;
  one.quiet = false;
  one.deadline = kNoDeadline;
}

/// Posts of one instant, by rank: the order in which the machine happened to run them says nothing.
void Hub::settle() {
  for (Rank& one : ranks_) {
    for (const HubMessage& message : one.posted) match(message);
    one.posted.clear();
  }
}

void Hub::match(const HubMessage& message) {
  const Key key = message.send ? Key{message.id.rank, message.peer, message.tag} : Key{message.peer, message.id.rank, message.tag};
  if (!message.send) {
    if (auto early = early_.find(key); early != early_.end()) {
      const OnTheWay& first = early->second.front();
      if (first.send.bytes > message.bytes) later(now_, {HubEvent::Kind::truncated, message.id, first.send.id});
      else later(std::max(now_, first.arrives), {HubEvent::Kind::done, message.id, first.send.id});
      early->second.pop();
      if (early->second.empty()) early_.erase(early);
      return;
    }
    if (auto sends = sends_.find(key); sends != sends_.end()) {
      const HubMessage send = sends->second.front();
      sends->second.pop();
      if (sends->second.empty()) sends_.erase(sends);
      return transfer(send, message);
    }
    receives_[key].push(message);
    return;
  }
  if (auto receives = receives_.find(key); receives != receives_.end()) {
    const HubMessage receive = receives->second.front();
    receives->second.pop();
    if (receives->second.empty()) receives_.erase(receives);
    return transfer(message, receive);
  }
  if (message.synchronous || message.bytes > link_.eager_limit) sends_[key].push(message);
  else send_off(message);
}

void Hub::transfer(const HubMessage& send, const HubMessage& receive) {
  const Way w = way(link_, send, now_, rank(send.id.rank).send_free, rank(send.peer).receive_free);
  const bool buffered = !send.synchronous && send.bytes <= link_.eager_limit;
  later(buffered ? now_ : w.left, {HubEvent::Kind::fetch, send.id, std::nullopt});
  later(buffered ? now_ : w.gone, {HubEvent::Kind::done, send.id, std::nullopt});
  if (send.bytes > receive.bytes) later(w.arrives, {HubEvent::Kind::truncated, receive.id, send.id});
  else later(w.arrives, {HubEvent::Kind::done, receive.id, send.id});
}

void Hub::send_off(const HubMessage& send) {
  const Way w = way(link_, send, now_, rank(send.id.rank).send_free, rank(send.peer).receive_free);
  later(now_, {HubEvent::Kind::fetch, send.id, std::nullopt});
  later(now_, {HubEvent::Kind::done, send.id, std::nullopt});
  early_[{send.id.rank, send.peer, send.tag}].push({send, w.arrives});
}

bool Hub::advance(std::vector<HubEvent>& events) {
  events.clear();
  wakes_.clear();
  settle();
  Ns next = later_.empty() ? kNoDeadline : later_.top().when;
  for (const Rank& one : ranks_)
    if (one.quiet) next = std::min(next, one.deadline);
  if (next == kNoDeadline) return false;
  now_ = std::max(now_, next);
  std::vector<bool> wakes(ranks_.size(), false);
  while (!later_.empty() && later_.top().when <= now_) {
    const HubEvent event = later_.top().event;
    later_.pop();
    events.push_back(event);
    if (event.kind == HubEvent::Kind::collected && event.id.rank == 0) wakes.assign(ranks_.size(), true);
    else if (event.kind == HubEvent::Kind::collected)
      for (const int member : members_[event.id.rank]) wakes[static_cast<std::size_t>(member)] = true;
    else if (event.kind != HubEvent::Kind::fetch) wakes[static_cast<std::size_t>(event.id.rank)] = true;
  }
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    Rank& one = ranks_[r];
    if (!one.quiet || one.gone || !(wakes[r] || one.deadline <= now_)) continue;
    one.quiet = false;
    one.deadline = kNoDeadline;
    ++running_;
    wakes_.push_back(static_cast<int>(r));
  }
  return true;
}

}  // namespace p2plab::schedule
