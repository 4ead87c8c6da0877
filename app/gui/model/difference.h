// The first bytes that arrived other than they were sent, and the payloads that changed under way.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "app/trace/trace.h"

namespace p2plab::gui {

struct Difference {
  std::uint64_t offset = 0;                  ///< of the first shown byte
  std::vector<std::uint8_t> sent, received;  ///< as many as the program kept, the first of them differs
  int rank = 0;                              ///< that received them
};

/// From the note "first_difference" of a rank: {"offset":N,"sent":"hex","received":"hex"}. Nothing when it cannot be read.
std::optional<Difference> parse_difference(std::string_view note);
std::optional<Difference> first_difference(const trace::Trace& trace);

/// An operation whose payload had one hash when it was posted and another when it was complete.
struct ChangedPayload {
  trace::SpanId span = trace::kNoIndex;
  std::uint64_t post = 0, done = 0;
};
/// In order of posting.
std::vector<ChangedPayload> changed_payloads(const trace::Trace& trace);

}  // namespace p2plab::gui
