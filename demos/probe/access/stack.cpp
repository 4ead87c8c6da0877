// Threads' stacks, and the entries that tell of functions' beginnings and ends.
#include "demos/probe/access/stack.h"

#include <pthread.h>

#include "demos/probe/access/modules.h"
#include "demos/probe/access/touched.h"

namespace p2plab::probe::access {

Piece own_stack() {
  Piece stack{0, 1};  // where nothing lies
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return stack;
  void* begin = nullptr;
  std::size_t size = 0;
  if (::pthread_attr_getstack(&attributes, &begin, &size) == 0) {
    stack.begin = reinterpret_cast<std::uintptr_t>(begin);
    stack.end = stack.begin + size;
  }
  ::pthread_attr_destroy(&attributes);
  return stack;
}

namespace {

/// Is something watched below `end` on this thread's stack?
bool anything_below(std::uintptr_t end) {
  if (!anything_active()) return false;
  if (this_thread.stack.end == 0) know_this_thread();
  return this_thread.lowest.load(std::memory_order_relaxed) < end;
}

}  // namespace

}  // namespace p2plab::probe::access

using namespace p2plab::probe::access;

#pragma GCC visibility push(default)
extern "C" {

/// `caller`: where the function that begins will return to. All below its frame is dead, its frame too: what it holds
/// began this instant. This finds buffers of inner blocks (arrays of variable length) and of frames left by longjmp.
void __tsan_func_entry(void* caller) {
  if (!anything_below(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)))) return;
  stack_ended(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)), caller);
}

void __tsan_func_exit() {
  // The caller's frame pointer as our frame has saved it, or that of a frame further out if it has none: a first look.
  if (!anything_below(*static_cast<std::uintptr_t*>(__builtin_frame_address(0)))) return;
  void* const pc = __builtin_return_address(0);
  if (const std::uintptr_t end = frame_end_of(pc); end != 0 && anything_below(end)) stack_ended(end, pc);
}

}  // extern "C"
#pragma GCC visibility pop
