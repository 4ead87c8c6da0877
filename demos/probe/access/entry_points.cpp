// What -fsanitize=thread makes a program call: g++ 12 to 14 and clang 14 to 19, with both compilers' options for
// volatile and for compound accesses. Atomics are in atomics.cpp, functions' beginnings and ends in stack.cpp.
#include <cstddef>

#include "demos/probe/access/touched.h"

using p2plab::probe::access::accessed;

// The compilers put each entry's name together from these parts, so a macro does the same.
#define ENTRY(name, size, write) \
  void __tsan_##name##size(void* memory) { accessed(memory, size, write, __builtin_return_address(0)); }
#define SIZES(name, write) \
  ENTRY(name, 1, write) ENTRY(name, 2, write) ENTRY(name, 4, write) ENTRY(name, 8, write) ENTRY(name, 16, write)
#define ACCESS(name, write) SIZES(name, write) SIZES(unaligned_##name, write)
#define WITH_PC(name, size, write) \
  void __tsan_##name##size##_pc(void* memory, void* pc) { accessed(memory, size, write, pc); }
#define SIZES_WITH_PC(name, write) \
  WITH_PC(name, 1, write)          \
  WITH_PC(name, 2, write) WITH_PC(name, 4, write) WITH_PC(name, 8, write) WITH_PC(name, 16, write)
#define TRACED(name, size, write) \
  void __sanitizer_cov_##name##size(void* memory) { accessed(memory, size, write, __builtin_return_address(0)); }
#define SIZES_TRACED(name, write) \
  TRACED(name, 1, write) TRACED(name, 2, write) TRACED(name, 4, write) TRACED(name, 8, write) TRACED(name, 16, write)
#define NOTHING(name) \
  void __tsan_##name() {}

extern "C" {
#pragma GCC visibility push(default)

ACCESS(read, false)
ACCESS(write, true)
ACCESS(read_write, true)  // reads what it then writes: judged as the write
ACCESS(volatile_read, false)
ACCESS(volatile_write, true)
SIZES_WITH_PC(read, false)
SIZES_WITH_PC(write, true)

// clang's -fsanitize-coverage=func,trace-loads,trace-stores: its ThreadSanitizer believes that a local variable which
// is reached by a constant index is nobody else's.
SIZES_TRACED(load, false)
SIZES_TRACED(store, true)

void __tsan_read_range(void* memory, std::size_t size) { accessed(memory, size, false, __builtin_return_address(0)); }
void __tsan_write_range(void* memory, std::size_t size) { accessed(memory, size, true, __builtin_return_address(0)); }
void __tsan_vptr_read(void** pointer) { accessed(pointer, sizeof *pointer, false, __builtin_return_address(0)); }
void __tsan_vptr_update(void** pointer, void*) {
  accessed(pointer, sizeof *pointer, true, __builtin_return_address(0));
}

// What programs that know of ThreadSanitizer say to it is none of our business.
NOTHING(init)
NOTHING(ignore_thread_begin)
NOTHING(ignore_thread_end)
NOTHING(acquire)
NOTHING(release)
NOTHING(mutex_create)
NOTHING(mutex_destroy)
NOTHING(mutex_pre_lock)
NOTHING(mutex_post_lock)
NOTHING(mutex_pre_signal)
NOTHING(mutex_post_signal)
NOTHING(mutex_pre_divert)
NOTHING(mutex_post_divert)
NOTHING(mutex_post_unlock)
NOTHING(flush_memory)
NOTHING(destroy_fiber)
NOTHING(switch_to_fiber)
NOTHING(set_fiber_name)
int __tsan_mutex_pre_unlock() { return 0; }
void* __tsan_get_current_fiber() { return nullptr; }
void* __tsan_create_fiber() { return nullptr; }

#pragma GCC visibility pop
}  // extern "C"
