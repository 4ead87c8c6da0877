// Threads of the program's own, and a little time for them.
#include "demos/probe/access/threads.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "demos/probe/access/in_front_of.h"
#include "demos/probe/access/modules.h"
#include "demos/probe/access/watch.h"

namespace p2plab::probe::access {
namespace {

std::atomic<bool> watching{false}, started{false};
std::atomic<int> waits{0}, late_starts{0}, late_begins{0};

constexpr int kLateStarts = 16, kLateMs = 10;

void nap(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

}  // namespace

void begin() { watching = true; }

bool program_has_threads() { return started.load(std::memory_order_relaxed); }

void wait_for_other_threads() {
  constexpr int kLong = 10, kShort = 100, kMostMs = 50;
  if (!program_has_threads()) return;
  const int number = waits.load(std::memory_order_relaxed);
  if (number >= kLong + kShort) return;
  waits.store(number + 1, std::memory_order_relaxed);
  for (int ms = 0; ms < kMostMs && late_begins.load() < std::min(late_starts.load(), kLateStarts); ++ms) nap(1);
  nap(number < kLong ? 10 : 1);
}

}  // namespace p2plab::probe::access

using namespace p2plab::probe::access;

namespace {

template <class Result>
struct Beginning {
  Result (*start)(void*);
  void* argument;
};

template <class Result>
Result start_late(void* given) {
  const Beginning<Result> beginning = *static_cast<Beginning<Result>*>(given);
  delete static_cast<Beginning<Result>*>(given);
  nap(kLateMs);
  late_begins.fetch_add(1);
  return beginning.start(beginning.argument);
}

/// Of a thread that is made by the code at `pc`. UCX and the profiling layer have threads of their own.
bool starts_late(void* pc) {
  if (caller_of(pc) == Caller::mpi) return false;
  started = true;
  return watching.load() && late_starts.fetch_add(1) < kLateStarts;
}

/// Makes a thread by `create(start, argument)`.
template <class Result, class Create>
int make_thread(Result (*start)(void*), void* argument, void* pc, Create create) {
  if (!starts_late(pc)) return create(start, argument);
  auto* const beginning = new Beginning<Result>{start, argument};  // the new thread's, if there will be one
  const int code = create(&start_late<Result>, beginning);
  if (code != 0) {
    delete beginning;
    late_begins.fetch_add(1);
  }
  return code;
}

}  // namespace

IN_FRONT_OF(int, pthread_create, pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
            void* argument) {
  return make_thread(start, argument, CALLER,
                     [&](auto* begins, void* with) { return next_pthread_create(thread, attributes, begins, with); });
}
IN_FRONT_OF(int, thrd_create, unsigned long* thread, int (*start)(void*), void* argument) {
  return make_thread(start, argument, CALLER,
                     [&](auto* begins, void* with) { return next_thrd_create(thread, begins, with); });
}
