// Threads' stacks: which of their active buffers lie in a frame that ends.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "demos/probe/access/watch.h"

namespace p2plab::probe::access {

constexpr std::uintptr_t kNothingWatched = ~std::uintptr_t{0};

/// What the checker knows of one thread.
struct Thread {
  unsigned inside_mpi = 0;  ///< depth
  unsigned busy = 0;        ///< the checker itself, or its listener, is at work
  bool gone = false;        ///< the thread has ended but for its last destructors
  Piece stack{0, 0};        ///< empty until something is active and the thread enters a function
  /// The lowest watched byte of the stack: a frame that ends at or below it has lost nothing.
  std::atomic<std::uintptr_t> lowest{kNothingWatched};
};
extern constinit thread_local Thread this_thread [[gnu::tls_model("initial-exec")]];

/// [lowest, highest) byte of the calling thread's stack.
Piece own_stack();

/// A number for the way by which the calling thread came to the code that returns to `pc`, from the frame pointers of a
/// few callers; 0 where there are none. Cheap enough for every violation in a loop.
std::size_t way_to(void* pc);

/// Judges the active buffers on the calling thread's stack below `end`: their frames are gone.
void stack_ended(std::uintptr_t end, void* pc);
/// Makes the calling thread's stack known. Not under the checker's lock.
void know_this_thread();

}  // namespace p2plab::probe::access
