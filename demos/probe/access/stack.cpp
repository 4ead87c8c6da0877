// Threads' stacks, and the entries that tell of functions' beginnings and ends.
#include "demos/probe/access/stack.h"

#include <pthread.h>

#include <cstring>

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

std::size_t way_to(void* pc) {
  constexpr int kOurs = 12, kCallers = 6;
  const Piece& stack = this_thread.stack;
  auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  std::size_t way = 0;
  int callers = 0;
  bool found = false;
  for (int i = 0; i < kOurs + kCallers && callers < kCallers; ++i) {
    if (frame < stack.begin || frame % sizeof(void*) != 0 || frame + 2 * sizeof(void*) > stack.end) break;
    const auto* const saved = reinterpret_cast<const std::uintptr_t*>(frame);
    if (found) {
      way = (way ^ saved[1]) * 0x9e3779b97f4a7c15u;
      ++callers;
    } else if (i < kOurs) {
      found = saved[1] == reinterpret_cast<std::uintptr_t>(pc);
    }
    if (saved[0] <= frame) break;
    frame = saved[0];
  }
  return way;
}

namespace {

/// Is something watched below `end` on this thread's stack?
bool anything_below(std::uintptr_t end) {
  if (!anything_active()) return false;
  if (this_thread.stack.end == 0) know_this_thread();
  return this_thread.lowest.load(std::memory_order_relaxed) < end;
}

/// Is `pc` behind a call of `function`, directly or through a table? A call in tail position is a jump, and returns to
/// another function than the one that made it.
bool is_behind_call(const void* pc, std::uintptr_t function) {
  const auto* code = static_cast<const unsigned char*>(pc);
  const auto behind = [](const unsigned char* end) {  // what a distance of 4 bytes before `end` leads to
    std::int32_t distance;
    std::memcpy(&distance, end - 4, 4);
    return end + distance;
  };
  const auto slot = [](const unsigned char* table) {
    std::uintptr_t target;
    std::memcpy(&target, table, sizeof target);
    return target;
  };
  if (code[-6] == 0xff && code[-5] == 0x15 && slot(behind(code)) == function) return true;  // call *table(%rip)
  if (code[-5] != 0xe8) return false;                                                       // call
  const unsigned char* target = behind(code);
  if (reinterpret_cast<std::uintptr_t>(target) == function) return true;
  if (std::memcmp(target, "\xf3\x0f\x1e\xfa", 4) == 0) target += 4;                       // endbr64
  if (*target == 0xf2) ++target;                                                          // bnd
  return target[0] == 0xff && target[1] == 0x25 && slot(behind(target + 6)) == function;  // jmp *table(%rip)
}

}  // namespace

}  // namespace p2plab::probe::access

using namespace p2plab::probe::access;

#pragma GCC visibility push(default)
extern "C" {

/// `caller`: where the function that begins will return to. All below its frame is dead, and its frame too, for what it
/// holds began this instant. This finds buffers of inner blocks (arrays of variable length) and frames left by longjmp.
void __tsan_func_entry(void* caller) {
  const auto own = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const std::uintptr_t frame =
      *static_cast<std::uintptr_t*>(__builtin_frame_address(0));  // of the function, if it has one
  if (!anything_below(frame)) return;
  const Piece& stack = this_thread.stack;
  const bool has_frame = frame > own && frame % sizeof(void*) == 0 && frame + 2 * sizeof(void*) <= stack.end &&
                         own >= stack.begin && reinterpret_cast<void**>(frame)[1] == caller;
  const std::uintptr_t end = has_frame ? frame + 2 * sizeof(void*) : own;
  if (anything_below(end)) stack_ended(end, caller);
}

void __tsan_func_exit() {
  // The caller's frame pointer as our frame has saved it, or that of a frame further out if it has none: a first look.
  if (!anything_below(*static_cast<std::uintptr_t*>(__builtin_frame_address(0)))) return;
  void* const pc = __builtin_return_address(0);
  if (!is_behind_call(pc, reinterpret_cast<std::uintptr_t>(&__tsan_func_exit))) return;
  if (const std::uintptr_t end = frame_end_of(pc); end != 0 && anything_below(end)) stack_ended(end, pc);
}

}  // extern "C"
#pragma GCC visibility pop
