// A partitioned send is in flight once all of its partitions are ready: until then nobody can count on it.
#include "demos/probe/partitioned.h"

#include <algorithm>

#include "demos/probe/access/watch.h"

namespace p2plab::probe {
namespace {

int init(const CallSite& where, bool send, void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
         MPI_Info info, MPI_Request* out) {
  Arguments arguments(where, comm);
  if (arguments.pointer(out, "request").count(count).bad()) return arguments.error;
  if (partitions <= 0) return arguments.reject(MPI_ERR_ARG, "partitions", {{"value", std::to_string(partitions)}}).error;
  Request request;
  const Transfer transfer{where, send, Mode::standard, buffer, count * partitions, type, peer, tag, comm};
  if (const int error = prepare(transfer, request.operation); error != MPI_SUCCESS) return error;
  request.kind = Request::Kind::partitioned;
  request.made = where;
  request.persistent = true;
  request.active = false;
  request.partitions = partitions;
  const int code = send ? PMPI_Psend_init(buffer, partitions, count, type, peer, tag, comm, info, &request.base)
                        : PMPI_Precv_init(buffer, partitions, count, type, peer, tag, comm, info, &request.base);
  if (code != MPI_SUCCESS) return check(code, where, arguments.comm);
  *out = add_request(std::move(request));
  return MPI_SUCCESS;
}

/// Watches partition `index` from here on.
void watch_partition(Request& request, int index) {
  const Operation& operation = request.operation;
  if (Probe::get().orders.access == 0 || operation.null_peer() || !operation.layout->whole) return;
  const MPI_Count count = operation.what.count / request.partitions;
  const char* begin = static_cast<const char*>(operation.what.buffer) + static_cast<MPI_Aint>(count) * index * operation.layout->extent;
  std::vector<access::Piece> pieces;
  visit_blocks(*operation.layout, begin, count, count * operation.layout->size,
               [&](std::uintptr_t at, std::size_t length) { pieces.push_back({at, at + length}); });
  const std::int32_t id = Probe::get().next_request();
  request.watched[static_cast<std::size_t>(index)] = id;
  requests_watch_collective(id, operation.what.where, operation.comm, static_cast<std::uint64_t>(count * operation.layout->size));
  access::watch(static_cast<access::OperationId>(id) + 1, operation.what.send ? access::Use::send : access::Use::receive, pieces);
}

void release_partition(Request& request, int index) {
  std::int32_t& id = request.watched[static_cast<std::size_t>(index)];
  if (id == trace::kNone) return;
  access::release(static_cast<access::OperationId>(id) + 1);
  requests_release_collective(id);
  id = trace::kNone;
}

// Partitioned messages match only each other: they have a communicator of their own in the trace.
void begin_partitioned(Operation& operation) {
  Thread& thread = Thread::current();
  if (operation.number == trace::kNone || !thread.on()) return;
  Record record;
  record.type = RecordType::begin;
  record.kind = operation.what.send ? trace::Kind::send : trace::Kind::receive;
  record.flags = trace::kInFlight;
  record.lane = Probe::get().in_flight;
  record.name = thread.text(operation.what.where.call);
  record.site = thread.site(operation.what.where.pc);
  record.comm = Probe::get().recorder.intern(operation.comm->name + "#partitioned");
  record.peer = world_peer(*operation.comm, operation.what.peer);
  record.tag = operation.what.tag;
  record.bytes = static_cast<std::uint64_t>(operation.bytes());
  record.value = operation.layout->signature_text;
  record.request = operation.number;
  record.id = operation.span = thread.next_id();
  thread.push(record);
}

/// The request if it is an active partitioned one of the right direction, and the partitions are its own.
int find_active(const CallSite& where, MPI_Request handle, bool send, int low, int high, Request** out) {
  Arguments arguments(where);
  Request* request = find_request(handle);
  if (handle == MPI_REQUEST_NULL) return arguments.reject(MPI_ERR_REQUEST, "request-null").error;
  if (request == nullptr) return arguments.reject(MPI_ERR_REQUEST, "request-dead").error;
  arguments.comm = request->operation.comm;
  if (request->kind != Request::Kind::partitioned || request->operation.what.send != send) {
    return arguments.reject(MPI_ERR_REQUEST, send ? "not-partitioned-send" : "not-partitioned-receive").error;
  }
  if (!request->active && send) return arguments.reject(MPI_ERR_REQUEST, "request-inactive").error;
  if (low < 0 || high >= request->partitions || low > high) {
    return arguments.reject(MPI_ERR_ARG, "partition", {{"value", std::to_string(low < 0 ? low : high)}, {"last", std::to_string(request->partitions - 1)}}).error;
  }
  *out = request;
  return MPI_SUCCESS;
}

int make_ready(const CallSite& where, MPI_Request handle, int index) {
  Request* request = nullptr;
  if (const int error = find_active(where, handle, true, index, index, &request); error != MPI_SUCCESS) return error;
  const auto i = static_cast<std::size_t>(index);
  if (request->ready[i]) {
    Arguments arguments(where);
    arguments.comm = request->operation.comm;
    return arguments.reject(MPI_ERR_ARG, "partition-ready", {{"value", std::to_string(index)}}).error;
  }
  request->ready[i] = true;
  if (std::find(request->ready.begin(), request->ready.end(), false) == request->ready.end()) {
    begin_partitioned(request->operation);
  }
  const int code = PMPI_Pready(index, request->base);
  watch_partition(*request, index);
  return check(code, where, request->operation.comm);
}

}  // namespace

int start_partitioned(const CallSite& where, Request& request) {
  Operation& operation = request.operation;
  request.active = true;
  request.ready.assign(static_cast<std::size_t>(request.partitions), false);
  request.watched.assign(static_cast<std::size_t>(request.partitions), trace::kNone);
  if (operation.comm->unwatched) note_unwatched(*operation.comm);
  operation.number = operation.unrecorded() ? trace::kNone : Probe::get().next_request();
  operation.span = 0;
  Record record;
  record.kind = trace::Kind::other;
  const Call call(where, record);
  if (!operation.what.send) begin_partitioned(operation);
  const int code = PMPI_Start(&request.base);
  if (!operation.what.send) {
    for (int i = 0; i < request.partitions; ++i) watch_partition(request, i);
  }
  return check(code, where, operation.comm);
}

}  // namespace p2plab::probe

using namespace p2plab::probe;

P2PLAB_MPI int MPI_Psend_init(const void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                              MPI_Info info, MPI_Request* request) {
  return init({"MPI_Psend_init", P2PLAB_CALLER}, true, const_cast<void*>(buffer), partitions, count, type, dest, tag, comm, info, request);
}
P2PLAB_MPI int MPI_Precv_init(void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                              MPI_Info info, MPI_Request* request) {
  return init({"MPI_Precv_init", P2PLAB_CALLER}, false, buffer, partitions, count, type, source, tag, comm, info, request);
}
P2PLAB_MPI int MPI_Pready(int partition, MPI_Request request) { return make_ready({"MPI_Pready", P2PLAB_CALLER}, request, partition); }
P2PLAB_MPI int MPI_Pready_range(int low, int high, MPI_Request request) {
  const CallSite where{"MPI_Pready_range", P2PLAB_CALLER};
  Request* found = nullptr;
  if (const int error = find_active(where, request, true, low, high, &found); error != MPI_SUCCESS) return error;
  for (int i = low; i <= high; ++i) {
    if (const int error = make_ready(where, request, i); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}
// MPICH's header has changed its mind about const: declared under another name, exported under this one.
P2PLAB_MPI int pready_list(int length, const int partitions[], MPI_Request request) __asm__("MPI_Pready_list");
int pready_list(int length, const int partitions[], MPI_Request request) {
  const CallSite where{"MPI_Pready_list", P2PLAB_CALLER};
  for (int i = 0; i < length; ++i) {
    if (const int error = make_ready(where, request, partitions[i]); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}
P2PLAB_MPI int MPI_Parrived(MPI_Request handle, int partition, int* flag) {
  const CallSite where{"MPI_Parrived", P2PLAB_CALLER};
  Request* request = nullptr;
  if (const int error = find_active(where, handle, false, partition, partition, &request); error != MPI_SUCCESS) return error;
  const int code = PMPI_Parrived(request->base, partition, flag);
  if (code == MPI_SUCCESS && *flag != 0) {
    release_partition(*request, partition);
  } else if (code == MPI_SUCCESS && request->active) {
    Thread::current().polled_request(where, request->operation.number);
  }
  return check(code, where, request->operation.comm);
}
