// See ring_size.h.
#include "app/trace/ring_size.h"

#include <bit>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "app/trace/record.h"

namespace p2plab::trace {

std::uint32_t ring_slots() {
  const char* set = std::getenv("P2PLAB_RING_SLOTS");
  const std::string_view chosen = set == nullptr ? "" : set;
  std::uint32_t slots = 0;
  const auto [end, wrong] = std::from_chars(chosen.data(), chosen.data() + chosen.size(), slots);
  const bool number = wrong == std::errc{} && end == chosen.data() + chosen.size();
  return number && std::has_single_bit(slots) && slots >= 8 && slots < kRingSlots ? slots : kRingSlots;
}

}  // namespace p2plab::trace
