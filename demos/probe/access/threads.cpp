// Threads of the program's own, and a little time for them.
#include "demos/probe/access/threads.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "demos/probe/access/in_front_of.h"
#include "demos/probe/access/modules.h"
#include "demos/probe/access/watch.h"

namespace p2plab::probe::access {
namespace {

std::atomic<bool> started{false};
std::atomic<int> waits{0};

}  // namespace

bool program_has_threads() { return started.load(std::memory_order_relaxed); }

void wait_for_other_threads() {
  constexpr int kLong = 10, kShort = 100;
  if (!program_has_threads()) return;
  const int number = waits.load(std::memory_order_relaxed);
  if (number >= kLong + kShort) return;
  waits.store(number + 1, std::memory_order_relaxed);
  std::this_thread::sleep_for(std::chrono::milliseconds(number < kLong ? 10 : 1));
}

}  // namespace p2plab::probe::access

using namespace p2plab::probe::access;

namespace {

void note(void* pc) {  // UCX and the profiling layer have threads of their own
  if (!started.load(std::memory_order_relaxed) && caller_of(pc) != Caller::mpi) started = true;
}

using Start = void*(void*);
using StartC11 = int(void*);

}  // namespace

IN_FRONT_OF(int, pthread_create, pthread_t* thread, const pthread_attr_t* attributes, Start* start, void* argument) {
  note(CALLER);
  return next_pthread_create(thread, attributes, start, argument);
}
IN_FRONT_OF(int, thrd_create, unsigned long* thread, StartC11* start, void* argument) {
  note(CALLER);
  return next_thrd_create(thread, start, argument);
}
