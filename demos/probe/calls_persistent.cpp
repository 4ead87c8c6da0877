// Requests that are started again and again. Each start is an operation of its own in the trace.
#include "demos/probe/collective.h"
#include "demos/probe/partitioned.h"
#include "demos/probe/requests.h"

namespace p2plab::probe {
namespace {

int start(const CallSite& where, MPI_Request* handle) {
  Arguments arguments(where);
  if (arguments.pointer(handle, "request").bad()) return arguments.error;
  Request* request = find_request(*handle);
  if (*handle == MPI_REQUEST_NULL) return arguments.reject(MPI_ERR_REQUEST, "request-null").error;
  if (request == nullptr && is_ours(*handle)) return arguments.reject(MPI_ERR_REQUEST, "request-dead").error;
  if (request == nullptr) return check(PMPI_Start(handle), where, nullptr);  // made by a call that we do not stand in front of
  arguments.comm = request->operation.comm;
  if (!request->persistent) return arguments.reject(MPI_ERR_REQUEST, "request-not-persistent").error;
  if (request->active) return arguments.reject(MPI_ERR_REQUEST, "request-active").error;
  delay();
  ++request->starts;
  request->operation.what.where = where;
  if (request->kind == Request::Kind::collective) return request->collective->start(where.pc, *request);
  if (request->kind == Request::Kind::partitioned) return start_partitioned(where, *request);
  Operation& operation = request->operation;
  operation.number = trace::kNone;
  Call call(where, begin_record(operation, trace::kPosts));
  operation.span = call.in_flight();
  const int code = post(operation);
  if (code != MPI_SUCCESS) return check(code, where, operation.comm);
  request->active = true;
  watch(operation);
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace p2plab::probe

using namespace p2plab::probe;

P2PLAB_MPI int MPI_Start(MPI_Request* request) { return start({"MPI_Start", P2PLAB_CALLER}, request); }

P2PLAB_MPI int MPI_Startall(int count, MPI_Request requests[]) {
  const CallSite where{"MPI_Startall", P2PLAB_CALLER};
  Arguments arguments(where);
  if (arguments.count(count).bad()) return arguments.error;
  for (int i = 0; i < count; ++i) {
    if (const int error = start(where, &requests[i]); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}
