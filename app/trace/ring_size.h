// How many records a ring holds.
#pragma once
#include <cstdint>

namespace p2plab::trace {

/// kRingSlots; fewer where P2PLAB_RING_SLOTS names a smaller power of two from 8 on, so that a test can fill a ring.
std::uint32_t ring_slots();

}  // namespace p2plab::trace
