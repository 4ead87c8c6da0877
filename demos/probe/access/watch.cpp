// The checker's judgement: which operations an access breaks, and who is told.
#include "demos/probe/access/watch.h"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "demos/probe/access/modules.h"
#include "demos/probe/access/operations.h"
#include "demos/probe/access/stack.h"
#include "demos/probe/access/threads.h"
#include "demos/probe/access/touched.h"

namespace p2plab::probe::access {

constinit Bounds bounds;
constinit Shadow shadow;
constinit thread_local Thread this_thread;

namespace {

struct State {
  std::mutex mutex;
  Operations operations{shadow};
  std::vector<Thread*> threads;  ///< whose stacks are known
};

std::atomic<void (*)(const Violation&)> listener{nullptr};
std::atomic<bool> disabled{false};

/// Violations that are told when the lock is open again.
using Found = std::vector<Violation>;

/// A forked child is not the rank: what it does to its copy of the memory is no concern of MPI's.
void leave_child_alone() {
  disabled = true;
  bounds.end = 0;
}

State& state() {
  union Immortal {  // accesses go on while the program's static objects are destroyed
    State value;
    Immortal() : value() { ::pthread_atfork(nullptr, nullptr, leave_child_alone); }
    ~Immortal() {}
  };
  static Immortal immortal;
  return immortal.value;
}

/// The checker is at work on this thread: what it touches does not count, a signal handler's accesses neither.
class Busy {
 public:
  Busy() : first_(this_thread.busy++ == 0 && !disabled.load(std::memory_order_relaxed)) {}
  ~Busy() { --this_thread.busy; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  explicit operator bool() const { return first_; }

 private:
  bool first_;
};

void publish_bounds(const State& s) {
  const Piece now = s.operations.bounds();
  bounds.begin.store(now.begin, std::memory_order_relaxed);
  bounds.end.store(now.end, std::memory_order_relaxed);
}

/// The threads' lowest watched bytes, exactly. Where operations end they may stay too low: the frame that then ends
/// above one for no reason comes here.
void publish_stacks(State& s) {
  for (Thread* thread : s.threads) {
    const std::uintptr_t lowest = s.operations.lowest(thread->stack);
    thread->lowest.store(lowest == thread->stack.end ? kNothingWatched : lowest, std::memory_order_relaxed);
  }
}

/// After new bytes are watched.
void publish(State& s, std::span<const Piece> added) {
  publish_bounds(s);
  for (Thread* thread : s.threads) {
    const auto common = first_common(added, thread->stack);
    if (common && common->begin < thread->lowest.load(std::memory_order_relaxed))
      thread->lowest.store(common->begin, std::memory_order_relaxed);
  }
}

void forget_this_thread() {
  this_thread.gone = true;
  if (disabled) return;
  const Busy busy;
  State& s = state();
  const std::lock_guard lock(s.mutex);
  std::erase(s.threads, &this_thread);
  this_thread.lowest = kNothingWatched;
}

void find(Found& found, Operation& operation, Violation::Kind kind, Piece common, void* pc) {
  if (!operation.is_news(pc, kind, way_to(pc))) return;
  found.push_back({operation.id, 0, operation.use, kind, common.begin, common.end - common.begin, pc, {}});
}

void tell(Found& found) {
  const auto tell_one = listener.load();
  if (tell_one == nullptr || found.empty()) return;
  const auto stack = call_stack(found.front().pc);
  for (Violation& violation : found) {
    violation.stack = stack;
    tell_one(violation);
  }
}

void judge_access(Piece bytes, bool write, void* pc) {
  know_this_thread();
  Found found;
  {
    State& s = state();
    const std::lock_guard lock(s.mutex);
    s.operations.for_each_touching(bytes, [&](Operation& operation, Piece common) {
      if (write)
        find(found, operation, Violation::access_write, common, pc);
      else if (operation.use == Use::receive)
        find(found, operation, Violation::access_read, common, pc);
    });
  }
  tell(found);
}

/// Each operation loses what it had there, so that what comes to live in the memory is not blamed for it.
void judge_end_of_memory(Piece bytes, Violation::Kind kind, void* pc) {
  Found found;
  {
    State& s = state();
    const std::lock_guard lock(s.mutex);
    s.operations.for_each_touching(
        bytes, [&](Operation& operation, Piece common) { find(found, operation, kind, common, pc); });
    s.operations.drop(bytes);
    publish_bounds(s);
    publish_stacks(s);
  }
  tell(found);
}

/// The program's own return address behind a call of the C library from `pc`; null when the call was MPI's.
void* blamed(void* pc) {
  switch (caller_of(pc)) {
    case Caller::program:
      return pc;
    case Caller::library:
      return program_in(call_stack(pc));
    case Caller::mpi:
      break;
  }
  return nullptr;
}

}  // namespace

void watch(OperationId operation, Use use, std::span<const Piece> pieces) {
  if (disabled) return;
  const Busy busy;
  know_this_thread();
  Found found;
  {
    std::vector<Piece> added = normalized(pieces);
    State& s = state();
    const std::lock_guard lock(s.mutex);
    Operation& one = s.operations.add(operation, use, std::move(added));
    if (one.shares) {
      s.operations.for_each_sharing(one, [&](Operation& other, Piece common) {
        if (one.use == Use::send && other.use == Use::send) return;
        found.push_back(
            {one.id, other.id, one.use, Violation::overlap, common.begin, common.end - common.begin, nullptr, {}});
      });
    }
    publish(s, one.pieces);
  }
  tell(found);
}

void release(OperationId operation) {
  if (disabled) return;
  wait_for_other_threads();
  const Busy busy;
  State& s = state();
  const std::lock_guard lock(s.mutex);
  s.operations.remove(operation);
  publish_bounds(s);
  if (!anything_active()) publish_stacks(s);
}

void release_all() {
  if (disabled) return;
  const Busy busy;
  State& s = state();
  const std::lock_guard lock(s.mutex);
  s.operations.clear();
  publish_bounds(s);
  publish_stacks(s);
}

void on_violation(void (*told)(const Violation&)) { listener = told; }

InsideMpi::InsideMpi() { ++this_thread.inside_mpi; }
InsideMpi::~InsideMpi() { --this_thread.inside_mpi; }

void touch(Piece bytes, bool write, void* pc) {
  if (bytes.begin >= bounds.end.load(std::memory_order_relaxed) || !shadow.forbids_range(bytes, write)) return;
  const Busy busy;
  if (busy) judge_access(bytes, write, pc);
}

void gone(Piece bytes, void* pc) {
  if (bytes.begin >= bounds.end.load(std::memory_order_relaxed) || !shadow.forbids_range(bytes, true)) return;
  const Busy busy;
  if (busy) judge_end_of_memory(bytes, Violation::freed, pc);
}

void program_touched(Piece bytes, bool write, void* pc) {
  if (this_thread.inside_mpi != 0) return;
  const Busy busy;
  if (busy) judge_access(bytes, write, pc);
}

void library_touched(Piece bytes, bool write, void* pc) {
  if (this_thread.inside_mpi != 0) return;
  const Busy busy;
  if (!busy) return;
  if (void* const own = blamed(pc)) judge_access(bytes, write, own);
}

void library_gave_back(Piece bytes, void* pc) {
  if (this_thread.inside_mpi != 0) return;
  const Busy busy;
  if (!busy) return;
  if (void* const own = blamed(pc)) judge_end_of_memory(bytes, Violation::freed, own);
}

void know_this_thread() {
  if (this_thread.stack.end != 0 || this_thread.gone || disabled) return;
  struct AtThreadEnd {
    ~AtThreadEnd() { forget_this_thread(); }
  };
  const Busy busy;
  const Piece stack = own_stack();
  static thread_local AtThreadEnd at_thread_end;
  static_cast<void>(at_thread_end);
  State& s = state();
  const std::lock_guard lock(s.mutex);
  this_thread.stack = stack;
  s.threads.push_back(&this_thread);
  publish_stacks(s);
}

void stack_ended(std::uintptr_t end, void* pc) {
  const Piece& stack = this_thread.stack;
  if (this_thread.inside_mpi != 0 || end <= stack.begin || end > stack.end) return;  // on a stack of a coroutine's
  const Busy busy;
  if (busy) judge_end_of_memory({stack.begin, end}, Violation::out_of_scope, pc);
}

}  // namespace p2plab::probe::access
