// See sim_witness.h.
#include "app/check/sim_witness.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "app/check/lab_rules.h"

namespace p2plab::check {

namespace {

using trace::Ns;
using trace::Span;
using Message = SimWitness::Message;

TextRef odd(const char* what, int rank, Ns at) {
  return {std::string("lab-detail.forged-") + what, {{"rank", std::to_string(rank)}, {"at", plain(static_cast<double>(at) / kNsPerMs)}}};
}

/// Where one rank and the hub differ about messages: the instant of the first that differs.
std::optional<Ns> differ(std::vector<Message> recorded, std::vector<Message> carried, bool nccl) {
  const auto key = [&](const Message& message) { return std::tuple(message.send, message.peer, nccl ? 0 : message.tag, message.bytes, message.posted); };
  const auto before = [&](const Message& a, const Message& b) { return key(a) < key(b); };
  std::sort(recorded.begin(), recorded.end(), before);
  std::sort(carried.begin(), carried.end(), before);
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
    if ((span.flags & trace::kInFlight) != 0 && (span.kind == trace::Kind::send || span.kind == trace::Kind::receive))
      recorded[static_cast<std::size_t>(rank)].push_back({span.kind == trace::Kind::send, span.peer, span.tag, span.bytes, span.begin, span.end});
  }
  for (std::size_t rank = 0; rank < recorded.size(); ++rank)
    if (const auto at = differ(std::move(recorded[rank]), witness.ranks[rank].messages, nccl)) return odd("message", static_cast<int>(rank), *at);
  return std::nullopt;
}

}  // namespace p2plab::check
