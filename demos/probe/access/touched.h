// The way of an access: two compares when nothing is active near it, a look at the shadow, and only then a judgement.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "demos/probe/access/shadow.h"

namespace p2plab::probe::access {

/// From the lowest to the highest watched byte. With nothing active `end` is 0, so the first compare ends the matter.
struct Bounds {
  std::atomic<std::uintptr_t> begin{~std::uintptr_t{0}}, end{0};
};
extern constinit Bounds bounds;
extern constinit Shadow shadow;

inline bool anything_active() { return bounds.end.load(std::memory_order_relaxed) != 0; }

inline bool may_be_watched(std::uintptr_t address, std::size_t size, bool write) {
  if (address >= bounds.end.load(std::memory_order_relaxed)) return false;
  return address + size > bounds.begin.load(std::memory_order_relaxed) && shadow.forbids(address, size, write);
}

/// Judges an access by the program's own code at `pc`.
void program_touched(Piece bytes, bool write, void* pc);
/// … by a function of the C library that was called from `pc`; MPI and the C library itself may call it as they like.
void library_touched(Piece bytes, bool write, void* pc);
/// … by a function that gives the memory back.
void library_gave_back(Piece bytes, void* pc);

/// An access by instrumented code.
inline void accessed(const volatile void* memory, std::size_t size, bool write, void* pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  if (may_be_watched(address, size, write)) program_touched({address, address + size}, write, pc);
}

/// An access by the C library on behalf of the code at `pc`.
inline void read_by_call(const volatile void* memory, std::size_t size, void* pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  if (may_be_watched(address, size, false)) library_touched({address, address + size}, false, pc);
}
inline void written_by_call(const volatile void* memory, std::size_t size, void* pc) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  if (may_be_watched(address, size, true)) library_touched({address, address + size}, true, pc);
}

}  // namespace p2plab::probe::access
