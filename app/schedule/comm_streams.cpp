// See comm_streams.h.
#include "app/schedule/comm_streams.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace p2plab::schedule {

CommStreams::CommStreams(int stages, Ns wire, Ns leaves, NextReceive next)
    : stages_(static_cast<std::size_t>(stages)), wire_(wire), leaves_(leaves), next_(std::move(next)), changed_((static_cast<std::size_t>(stages) + 63) / 64) {
  for (int s = 0; s < stages; ++s) change(s);
}

void CommStreams::made(const Asking& message) {
  at(message.from).out.push_back(message);
  change(message.from);
}

const std::vector<int>& CommStreams::arrivals(Ns now) {
  told_.clear();
  for (const int s : left_) {
    change(s);
    at(s).sending = false;
  }
  left_.clear();
  while (const auto later = later_.take(now)) {
    change(later->stage);
    Stage& stage = at(later->stage);
    if (later->arrives) {
      stage.receiving = false;
      told_.push_back(later->stage);
    } else {
      stage.sending = false;
    }
  }
  return told_;
}

void CommStreams::match(Ns now, int from, int to, const std::vector<Ns>& delays) {
  Stage &sender = at(from), &receiver = at(to);
  if (!sender.send || !receiver.receive || sender.send->ring != receiver.receive->ring || sender.send->key != receiver.receive->key) return;
  Travelling& one = receiver.arriving = {*sender.send, now, now};
  if (wire_ > 0) {
    one.left = std::max({now, sender.send_free, receiver.receive_free});
    sender.send_free = receiver.receive_free = add(one.left, wire_);
  }
  one.arrived = add(one.left, delays[one.message.ring]);
  sender.send.reset();
  receiver.receive.reset();
  sender.sending = receiver.receiving = true;
  if (leaves_ == 0 && one.left == now) {
    left_.push_back(from);
    left_at_ = now;
  } else {
    later_.add(add(one.left, leaves_), {from, false});
  }
  later_.add(one.arrived, {to, true});
  told_.push_back(to);
}

void CommStreams::post_of(Ns now, int s, const std::vector<Ns>& delays) {
  Stage& stage = at(s);
  if (!stage.sending && !stage.send && !stage.out.empty()) {
    stage.send = stage.out.front();
    stage.out.pop_front();
    match(now, s, stage.send->to, delays);
  }
  if (!stage.receiving && !stage.receive && (stage.receive = next_(s))) match(now, stage.receive->from, s, delays);
}

const std::vector<int>& CommStreams::post(Ns now, const std::vector<Ns>& delays) {
  told_.clear();
  for (std::size_t word = 0; word < changed_.size(); ++word) {
    for (std::uint64_t bits = std::exchange(changed_[word], 0); bits != 0; bits &= bits - 1) {
      post_of(now, static_cast<int>(word * 64) + std::countr_zero(bits), delays);
    }
  }
  return told_;
}

}  // namespace p2plab::schedule
