// What the hub of a virtual run saw each rank do: the measure for what the ranks have recorded of themselves, in memory that
// they can write.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "app/schedule/costs.h"
#include "app/trace/error.h"
#include "app/trace/trace.h"

namespace p2plab::check {

struct SimWitness {
  struct Message {
    bool send = true;
    int peer = 0, tag = 0;
    std::uint64_t bytes = 0;
    schedule::Ns posted = 0, done = trace::kOpen;
    std::optional<std::uint64_t> contents{};  ///< of a send: hash of its bytes as they left
  };
  struct Rank {
    std::vector<Message> messages;
    std::vector<schedule::Ns> awake{0};  ///< the instants at which it ran, ascending
  };
  std::vector<Rank> ranks;
};

/// What the records of a finished run say that cannot be, as a sentence; nothing where they agree with the hub: its messages
/// (whom with, how long, when) are those that the hub carried, and everything begins and ends when the rank was awake.
/// `lasts` is how long computation of a kind takes, in ns, where that is given. Under NCCL's rules a send may be posted
/// later than it is called, and has no tag.
std::optional<TextRef> contradiction(const trace::Trace& trace, const SimWitness& witness, bool nccl, const std::map<trace::Kind, schedule::Ns>& lasts = {});

/// What each send of a trace that agrees with the hub carried, by its span in flight: hashes that no rank had a hand in.
std::map<trace::SpanId, std::uint64_t> contents_of(const trace::Trace& trace, const SimWitness& witness, bool nccl);

}  // namespace p2plab::check
