// See comm_streams.h.
#include "app/schedule/comm_streams.h"

#include <algorithm>

namespace p2plab::schedule {

CommStreams::CommStreams(int stages, Ns wire, Ns leaves, NextReceive next)
    : stages_(static_cast<std::size_t>(stages)), wire_(wire), leaves_(leaves), next_(std::move(next)) {
  for (int s = 0; s < stages; ++s) changed_.insert(s);
}

void CommStreams::made(const Asking& message) {
  at(message.from).out.push_back(message);
  changed_.insert(message.from);
}

std::vector<Travelling> CommStreams::arrivals(Ns now) {
  std::vector<Travelling> out;
  while (!later_.empty() && later_.top().when <= now) {
    const Later later = later_.top();
    later_.pop();
    changed_.insert(later.stage);
    if (later.arrives) {
      at(later.stage).receiving = false;
      out.push_back(*later.arrives);
    } else {
      at(later.stage).sending = false;
    }
  }
  return out;
}

std::vector<Travelling> CommStreams::post(Ns now, const std::function<Ns(const Asking&)>& delay) {
  std::vector<Travelling> out;
  const auto match = [&](int from, int to) {
    Stage &sender = at(from), &receiver = at(to);
    if (!sender.send || !receiver.receive || sender.send->ring != receiver.receive->ring || sender.send->key != receiver.receive->key) return;
    Travelling one{*sender.send, now, now};
    if (wire_ > 0) {
      one.left = std::max({now, sender.send_free, receiver.receive_free});
      sender.send_free = receiver.receive_free = add(one.left, wire_);
    }
    one.arrived = add(one.left, delay(one.message));
    sender.send.reset();
    receiver.receive.reset();
    sender.sending = receiver.receiving = true;
    later_.push({add(one.left, leaves_), sequence_++, from, std::nullopt});
    later_.push({one.arrived, sequence_++, to, one});
    out.push_back(one);
  };
  for (const int s : changed_) {
    Stage& stage = at(s);
    if (!stage.sending && !stage.send && !stage.out.empty()) {
      stage.send = stage.out.front();
      stage.out.pop_front();
      match(s, stage.send->to);
    }
    if (!stage.receiving && !stage.receive && (stage.receive = next_(s))) match(stage.receive->from, s);
  }
  changed_.clear();
  return out;
}

}  // namespace p2plab::schedule
