// See sim_witness.h.
#include "app/check/sim_witness.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "app/check/lab_rules.h"

namespace p2plab::check {

namespace {

using trace::Ns;
using trace::Span;
using Message = SimWitness::Message;

TextRef odd(const char* what, int rank, Ns at) {
  return {std::string("lab-detail.forged-") + what, {{"rank", std::to_string(rank)}, {"at", plain(static_cast<double>(at) / kNsPerMs)}}};
}

/// In this order the messages that a rank has recorded stand beside those that the hub carried.
auto order_of(const Message& message, bool nccl) { return std::tuple(message.send, message.peer, nccl ? 0 : message.tag, message.bytes, message.posted); }
void set_in_order(std::vector<Message>& messages, bool nccl) {
  std::stable_sort(messages.begin(), messages.end(), [nccl](const Message& a, const Message& b) { return order_of(a, nccl) < order_of(b, nccl); });
}

bool is_transfer(const Span& span) { return (span.flags & trace::kInFlight) != 0 && (span.kind == trace::Kind::send || span.kind == trace::Kind::receive); }
Message message_of(const Span& span) { return {span.kind == trace::Kind::send, span.peer, span.tag, span.bytes, span.begin, span.end, {}}; }

/// Where one rank and the hub differ about messages: the instant of the first that differs.
std::optional<Ns> differ(std::vector<Message> recorded, std::vector<Message> carried, bool nccl) {
  set_in_order(recorded, nccl);
  set_in_order(carried, nccl);
  for (std::size_t i = 0; i < std::min(recorded.size(), carried.size()); ++i) {
    const Message &mine = recorded[i], &seen = carried[i];
    const bool same = mine.send == seen.send && mine.peer == seen.peer && (nccl || mine.tag == seen.tag) && mine.bytes == seen.bytes;
    const bool in_time = nccl ? mine.posted <= seen.posted : mine.posted == seen.posted;
    const bool after = mine.done == trace::kOpen || seen.done == trace::kOpen || nccl || mine.done >= seen.done;
    if (!same || !in_time || !after) return mine.posted;
  }
  if (recorded.size() > carried.size()) return recorded.back().posted;
  if (recorded.size() < carried.size()) return carried.back().posted;
  return std::nullopt;
}

}  // namespace

std::optional<TextRef> contradiction(const trace::Trace& trace, const SimWitness& witness, bool nccl, const std::map<trace::Kind, schedule::Ns>& lasts) {
  std::vector<std::vector<Message>> recorded(witness.ranks.size());
  for (trace::SpanId id = 0; id < trace.spans().size(); ++id) {
    const Span& span = trace.spans()[id];
    const int rank = trace.tracks()[span.track].rank;
    if (rank < 0 || static_cast<std::size_t>(rank) >= witness.ranks.size()) return odd("time", rank, span.begin);
    const auto& awake = witness.ranks[static_cast<std::size_t>(rank)].awake;
    const auto was = [&](Ns at) { return at == trace::kOpen || std::binary_search(awake.begin(), awake.end(), at); };
    if (!was(span.begin) || !was(span.end)) return odd("time", rank, span.begin);
    if (const auto due = lasts.find(span.kind); due != lasts.end() && !span.open() && span.end - span.begin != due->second) return odd("compute", rank, span.begin);
    if (is_transfer(span)) recorded[static_cast<std::size_t>(rank)].push_back(message_of(span));
  }
  for (std::size_t rank = 0; rank < recorded.size(); ++rank)
    if (const auto at = differ(std::move(recorded[rank]), witness.ranks[rank].messages, nccl)) return odd("message", static_cast<int>(rank), *at);
  return std::nullopt;
}

std::map<trace::SpanId, std::uint64_t> contents_of(const trace::Trace& trace, const SimWitness& witness, bool nccl) {
  std::map<trace::SpanId, std::uint64_t> out;
  for (std::size_t rank = 0; rank < witness.ranks.size(); ++rank) {
    std::vector<trace::SpanId> sends;
    for (trace::SpanId id = 0; id < trace.spans().size(); ++id)
      if (std::cmp_equal(trace.rank_of(id), rank) && is_transfer(trace.span(id)) && trace.span(id).kind == trace::Kind::send) sends.push_back(id);
    std::stable_sort(sends.begin(), sends.end(), [&](trace::SpanId a, trace::SpanId b) { return order_of(message_of(trace.span(a)), nccl) < order_of(message_of(trace.span(b)), nccl); });
    std::vector<Message> carried = witness.ranks[rank].messages;
    std::erase_if(carried, [](const Message& message) { return !message.send; });
    set_in_order(carried, nccl);
    for (std::size_t i = 0; i < std::min(sends.size(), carried.size()); ++i)
      if (carried[i].contents) out[sends[i]] = *carried[i].contents;
  }
  return out;
}

}  // namespace p2plab::check
