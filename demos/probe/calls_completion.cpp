// Completion: wait and test for one, any, some and all; cancel, free, ask.
#include <algorithm>
#include <atomic>
#include <utility>

#include "demos/probe/requests.h"

namespace p2plab::probe {
namespace {

enum class Which { any, some, all };

/// Requests of one call, and which of them are done.
struct Set {
  CallSite where;
  int count;
  MPI_Request* requests;
  std::vector<bool> done;    ///< by index
  std::vector<bool> active;  ///< was active when the call began
  int error = MPI_SUCCESS;

  Set(const CallSite& call, int n, MPI_Request* handles)
      : where(call), count(n), requests(handles), done(static_cast<std::size_t>(std::max(n, 0)), false), active(done.size(), false) {
    for (std::size_t i = 0; i < done.size(); ++i) {
      const Request* request = find_request(requests[i]);
      active[i] = request != nullptr ? request->active : requests[i] != MPI_REQUEST_NULL;
    }
  }
  bool none_active() const { return std::find(active.begin(), active.end(), true) == active.end(); }
  bool all_done() const { return std::find(done.begin(), done.end(), false) == done.end(); }

  /// Asks about request `i`; true when it is done now.
  bool look_at(std::size_t i, MPI_Status* status) {
    if (done[i]) return true;
    bool is_done = false, was_active = false;
    const int code = look(&requests[i], is_done, was_active, status, where);
    if (code != MPI_SUCCESS) error = code;
    done[i] = is_done;
    return is_done;
  }
};

MPI_Status* status_at(MPI_Status* statuses, std::size_t i) { return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i; }

Record wait_record(std::uint8_t flags, std::int32_t request = trace::kNone) {
  Record record;
  record.kind = trace::Kind::wait;
  record.flags = flags;
  record.request = request;
  return record;
}

void empty_status(MPI_Status* status) {
  MPI_Request none = MPI_REQUEST_NULL;
  int flag = 0;
  PMPI_Test(&none, &flag, status);
}

int checked(const CallSite& where, int count, const MPI_Request* requests, const MPI_Status* statuses) {
  Arguments arguments(where);
  arguments.count(count);
  if (count > 0) arguments.pointer(requests, "requests").status(statuses);
  for (int i = 0; i < count && !arguments.bad(); ++i) {
    // Of a call that we do not stand in front of, or no request at all: MPI knows.
    int flag = 0;
    if (requests[i] == MPI_REQUEST_NULL || is_ours(requests[i])) continue;
    if (PMPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
      arguments.reject(MPI_ERR_REQUEST, "request-unknown", {{"index", std::to_string(i)}});
    }
  }
  return arguments.error;
}

int wait_one(const CallSite& where, MPI_Request* request, MPI_Status* status) {
  if (const int error = checked(where, 1, request, status); error != MPI_SUCCESS) return error;
  delay();
  Call call(where, wait_record(trace::kBlocking, number_of(*request)));
  bool done = false, active = false;
  int code = MPI_SUCCESS;
  wait_until(call, [&] {
    code = look(request, done, active, status, where);
    return done;
  });
  return code;
}

/// In the access run the first test of a request says "not yet", which MPI may always say: a program that uses the buffer
/// whatever the answer is found out, however fast the message was.
bool says_not_yet(int count, const MPI_Request* requests) {
  bool first = false;
  for (int i = 0; i < count; ++i) {
    Request* request = find_request(requests[i]);
    if (request == nullptr || !request->active || request->asked) continue;
    request->asked = true;
    first = first || request->operation.watched || !request->watched.empty();
  }
  return first;
}

int test_one(const CallSite& where, MPI_Request* request, int* flag, MPI_Status* status) {
  if (const int error = checked(where, 1, request, status); error != MPI_SUCCESS) return error;
  const std::int32_t number = number_of(*request);
  if (says_not_yet(1, request)) {
    *flag = 0;
    Thread::current().polled_request(where, number);
    return MPI_SUCCESS;
  }
  bool done = false, active = false;
  const int code = look(request, done, active, status, where);
  *flag = done ? 1 : 0;
  if (!done) {
    announce_wildcards();
    Thread::current().polled_request(where, number);
  } else {
    const Call call(where, wait_record(0, number));
  }
  return code;
}

int wait_all(const CallSite& where, int count, MPI_Request* requests, MPI_Status* statuses) {
  if (const int error = checked(where, count, requests, statuses); error != MPI_SUCCESS) return error;
  delay();
  Set set(where, count, requests);
  Call call(where, wait_record(trace::kBlocking));
  for (int i = 0; i < count; ++i) {
    if (const std::int32_t number = number_of(requests[i]); number != trace::kNone) call.waits_for(number);
  }
  wait_until(call, [&] {
    bool all = true;
    for (std::size_t i = 0; i < set.done.size(); ++i) all = set.look_at(i, status_at(statuses, i)) && all;
    return all;
  });
  return set.error;
}

/// Is every one of them done, taking none that is while another is not? MPI asks for all or nothing.
bool would_complete(const Set& set) {
  for (std::size_t i = 0; i < set.done.size(); ++i) {
    Request* request = find_request(set.requests[i]);
    const MPI_Request real = request == nullptr ? (is_ours(set.requests[i]) ? MPI_REQUEST_NULL : set.requests[i])
                             : request->active  ? request->real()
                                                : MPI_REQUEST_NULL;
    int flag = 1;
    if (real != MPI_REQUEST_NULL) PMPI_Request_get_status(real, &flag, MPI_STATUS_IGNORE);
    if (flag != 0 && request != nullptr && request->send != nullptr && !request->sent) {
      PMPI_Request_get_status(request->send->real, &flag, MPI_STATUS_IGNORE);
    }
    if (flag == 0) return false;
  }
  return true;
}

void record_polls(const Set& set, const void* all_of = nullptr) {
  announce_wildcards();
  for (std::size_t i = 0; i < set.done.size(); ++i) {
    if (set.active[i]) Thread::current().polled_request(set.where, number_of(set.requests[i]), all_of);
  }
}

int test_all(const CallSite& where, int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  if (const int error = checked(where, count, requests, statuses); error != MPI_SUCCESS) return error;
  Set set(where, count, requests);
  *flag = !says_not_yet(count, requests) && would_complete(set) ? 1 : 0;
  if (*flag == 0) {
    record_polls(set, requests);
    return MPI_SUCCESS;
  }
  const Call call(where, wait_record(0));
  while (!set.all_done()) {
    for (std::size_t i = 0; i < set.done.size(); ++i) set.look_at(i, status_at(statuses, i));
  }
  return set.error;
}

/// In a run with delays a call for any or some leaves its first request alone for a while, once: another may be complete before
/// it, as MPI may say whatever the order of the messages was. Its index; -1 for none.
std::ptrdiff_t held(const Set& set) {
  if (Probe::get().orders.delay_us == 0 || std::count(set.active.begin(), set.active.end(), true) < 2) return -1;
  constexpr int kMost = 8;  // of one rank: a long run must not become an endless one
  constexpr std::int64_t kHoldNs = 50'000'000;
  static std::atomic<int> holds{0};
  const auto first = std::find(set.active.begin(), set.active.end(), true) - set.active.begin();
  Request* request = find_request(set.requests[first]);
  if (request == nullptr) return -1;
  const std::int64_t now = trace::monotonic_ns();
  if (request->held_until == 0) request->held_until = holds.fetch_add(1) < kMost ? now + kHoldNs : now;
  return now < request->held_until ? first : -1;
}

/// Of a set the wildcard to which the lab has given a source, -1 for none. It is to be done before the others, as it can be in a
/// run of that order: what the program makes of the others first may end it before the chosen message is there. But only for
/// a while, as that message may depend on them.
std::ptrdiff_t chosen(const Set& set) {
  constexpr std::int64_t kPatience = 300'000'000;
  if (Probe::get().orders.forced_count == 0) return -1;
  std::ptrdiff_t out = -1;
  int least = 0;
  for (std::size_t i = 0; i < set.done.size(); ++i) {
    Request* request = set.active[i] ? find_request(set.requests[i]) : nullptr;
    if (request == nullptr || request->operation.wildcard == trace::kNone || request->operation.source == MPI_ANY_SOURCE) continue;
    const std::int64_t now = trace::monotonic_ns();
    if (request->held_until == 0) request->held_until = now + kPatience;
    if (now >= request->held_until || (out >= 0 && request->operation.wildcard > least)) continue;
    out = static_cast<std::ptrdiff_t>(i);
    least = request->operation.wildcard;
  }
  return out;
}

/// The first of a set that is done; -1 if none is.
int first_done(Set& set, MPI_Status* status) {
  if (const std::ptrdiff_t first = chosen(set); first >= 0) return set.look_at(static_cast<std::size_t>(first), status) ? static_cast<int>(first) : -1;
  const std::ptrdiff_t held_one = held(set);
  for (std::size_t i = 0; i < set.done.size(); ++i) {
    if (std::cmp_not_equal(i, held_one) && set.active[i] && set.look_at(i, status)) return static_cast<int>(i);
  }
  return -1;
}

/// Names what a wait for any of them waits for. Where one of them is not in the trace (a generalized request, one on a communicator
/// that is unwatched) nothing is named: it may end the wait.
void name_any(Call& call, const Set& set) {
  std::vector<std::int32_t> numbers;
  for (std::size_t i = 0; i < set.done.size(); ++i) {
    if (!set.active[i]) continue;
    numbers.push_back(number_of(set.requests[i]));
    if (numbers.back() == trace::kNone) return;
  }
  for (const std::int32_t number : numbers) call.waits_for(number);
}

int wait_any(const CallSite& where, int count, MPI_Request* requests, int* index, MPI_Status* status) {
  if (const int error = checked(where, count, requests, status); error != MPI_SUCCESS) return error;
  delay();
  Set set(where, count, requests);
  *index = MPI_UNDEFINED;
  if (set.none_active()) {
    empty_status(status);
    return MPI_SUCCESS;
  }
  Call call(where, wait_record(trace::kBlocking | trace::kAny));
  name_any(call, set);
  int first = -1;
  wait_until(call, [&] { return (first = first_done(set, status)) >= 0; });
  *index = first;
  return set.error;
}

int test_any(const CallSite& where, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  if (const int error = checked(where, count, requests, status); error != MPI_SUCCESS) return error;
  Set set(where, count, requests);
  *index = MPI_UNDEFINED;
  *flag = 1;
  if (set.none_active()) {
    empty_status(status);
    return MPI_SUCCESS;
  }
  const int first = says_not_yet(count, requests) ? -1 : first_done(set, status);
  *flag = first >= 0 ? 1 : 0;
  if (first < 0) {
    record_polls(set);
    return MPI_SUCCESS;
  }
  const Call call(where, wait_record(trace::kAny));
  *index = first;
  return set.error;
}

/// Takes all of a set that are done; how many.
int take_some(Set& set, int* indices, MPI_Status* statuses) {
  int taken = 0;
  if (const std::ptrdiff_t first = chosen(set); first >= 0) {
    if (!set.look_at(static_cast<std::size_t>(first), status_at(statuses, 0))) return 0;
    indices[taken++] = static_cast<int>(first);
    return taken;
  }
  const std::ptrdiff_t held_one = held(set);
  for (std::size_t i = 0; i < set.done.size(); ++i) {
    if (std::cmp_equal(i, held_one) || !set.active[i] || !set.look_at(i, status_at(statuses, static_cast<std::size_t>(taken)))) continue;
    indices[taken++] = static_cast<int>(i);
  }
  return taken;
}

int wait_some(const CallSite& where, int count, MPI_Request* requests, int* taken, int* indices, MPI_Status* statuses) {
  if (const int error = checked(where, count, requests, statuses); error != MPI_SUCCESS) return error;
  delay();
  Set set(where, count, requests);
  *taken = MPI_UNDEFINED;
  if (set.none_active()) return MPI_SUCCESS;
  Call call(where, wait_record(trace::kBlocking | trace::kAny));
  name_any(call, set);
  wait_until(call, [&] { return (*taken = take_some(set, indices, statuses)) > 0; });
  return set.error;
}

int test_some(const CallSite& where, int count, MPI_Request* requests, int* taken, int* indices, MPI_Status* statuses) {
  if (const int error = checked(where, count, requests, statuses); error != MPI_SUCCESS) return error;
  Set set(where, count, requests);
  *taken = MPI_UNDEFINED;
  if (set.none_active()) return MPI_SUCCESS;
  *taken = says_not_yet(count, requests) ? 0 : take_some(set, indices, statuses);
  if (*taken == 0) {
    record_polls(set);
  } else {
    const Call call(where, wait_record(trace::kAny));
  }
  return set.error;
}

/// Null when the handle is none of ours; rejects null and used-up handles.
int find_for(const CallSite& where, MPI_Request* handle, Request** out) {
  Arguments arguments(where);
  if (arguments.pointer(handle, "request").bad()) return arguments.error;
  *out = find_request(*handle);
  if (*handle == MPI_REQUEST_NULL) return arguments.reject(MPI_ERR_REQUEST, "request-null").error;
  if (*out == nullptr && is_ours(*handle)) return arguments.reject(MPI_ERR_REQUEST, "request-dead").error;
  return MPI_SUCCESS;
}

/// Its span ends here, whatever becomes of the message.
void note_freed(const Operation& operation) {
  if (operation.number == trace::kNone || operation.what.send) return;
  note("request-freed", {}, operation.number);
}

int free_request(const CallSite& where, MPI_Request* handle) {
  Request* request = nullptr;
  if (const int error = find_for(where, handle, &request); error != MPI_SUCCESS) return error;
  if (request == nullptr) return check(PMPI_Request_free(handle), where, nullptr);
  // Afterwards nobody can start it any more, or complete the partitions that are under way.
  const bool unfinished = request->active && request->kind == Request::Kind::partitioned;
  if (request->persistent && (request->starts == 0 || unfinished)) report_leak(*request);
  if (request->active && request->kind != Request::Kind::partitioned) {
    // MPI completes it by itself, and nobody will ever know when: the trace lets go of it here.
    Operation& operation = request->operation;
    abandon(operation);
    if (request->send != nullptr) abandon(*request->send);
    note_freed(operation);
    if (request->kind == Request::Kind::transfer && operation.number != trace::kNone) end_span(Thread::current(), operation.span);
    if (operation.real != MPI_REQUEST_NULL) PMPI_Request_free(&operation.real);
  }
  drop_request(*handle);
  *handle = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace p2plab::probe

using namespace p2plab::probe;

P2PLAB_MPI int MPI_Wait(MPI_Request* request, MPI_Status* status) { return wait_one({"MPI_Wait", P2PLAB_CALLER}, request, status); }
P2PLAB_MPI int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) { return test_one({"MPI_Test", P2PLAB_CALLER}, request, flag, status); }
P2PLAB_MPI int MPI_Waitall(int count, MPI_Request requests[], MPI_Status* statuses) {
  return wait_all({"MPI_Waitall", P2PLAB_CALLER}, count, requests, statuses);
}
P2PLAB_MPI int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status* statuses) {
  return test_all({"MPI_Testall", P2PLAB_CALLER}, count, requests, flag, statuses);
}
P2PLAB_MPI int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  return wait_any({"MPI_Waitany", P2PLAB_CALLER}, count, requests, index, status);
}
P2PLAB_MPI int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  return test_any({"MPI_Testany", P2PLAB_CALLER}, count, requests, index, flag, status);
}
P2PLAB_MPI int MPI_Waitsome(int count, MPI_Request requests[], int* taken, int indices[], MPI_Status* statuses) {
  return wait_some({"MPI_Waitsome", P2PLAB_CALLER}, count, requests, taken, indices, statuses);
}
P2PLAB_MPI int MPI_Testsome(int count, MPI_Request requests[], int* taken, int indices[], MPI_Status* statuses) {
  return test_some({"MPI_Testsome", P2PLAB_CALLER}, count, requests, taken, indices, statuses);
}

P2PLAB_MPI int MPI_Request_free(MPI_Request* request) { return free_request({"MPI_Request_free", P2PLAB_CALLER}, request); }

P2PLAB_MPI int MPI_Cancel(MPI_Request* handle) {
  const CallSite where{"MPI_Cancel", P2PLAB_CALLER};
  Request* request = nullptr;
  if (const int error = find_for(where, handle, &request); error != MPI_SUCCESS) return error;
  if (request == nullptr) return check(PMPI_Cancel(handle), where, nullptr);
  if (!request->active || request->operation.real == MPI_REQUEST_NULL) {
    Arguments arguments(where);
    return arguments.reject(MPI_ERR_REQUEST, "request-inactive").error;
  }
  return check(PMPI_Cancel(&request->operation.real), where, request->operation.comm);
}

P2PLAB_MPI int MPI_Request_get_status(MPI_Request handle, int* flag, MPI_Status* status) {
  const CallSite where{"MPI_Request_get_status", P2PLAB_CALLER};
  Request* request = find_request(handle);
  if (request == nullptr) {
    if (!is_ours(handle)) return check(PMPI_Request_get_status(handle, flag, status), where, nullptr);
    Arguments arguments(where);
    return arguments.reject(MPI_ERR_REQUEST, "request-dead").error;
  }
  if (!request->active) return PMPI_Request_get_status(MPI_REQUEST_NULL, flag, status);
  MPI_Status seen;
  const int code = PMPI_Request_get_status(request->real(), flag, &seen);
  if (code == MPI_SUCCESS && *flag == 0) Thread::current().polled_request(where, request->operation.number);
  if (code == MPI_SUCCESS && *flag != 0) {
    request->asked = true;
    if (request->kind == Request::Kind::transfer && request->send == nullptr) settle(request->operation, seen);
    if (status != MPI_STATUS_IGNORE) *status = seen;
  }
  return check(code, where, request->operation.comm);
}
