// Begin and end: MPI_Init, MPI_Finalize, MPI_Abort; what is left over at the end is told here.
#include <string>

#include "demos/probe/access/watch.h"
#include "demos/probe/collective.h"

namespace p2plab::probe {
namespace {

int begin(const CallSite& where, int* argc, char*** argv, int required, int* provided) {
  if (Probe::get().initialized.load()) {
    Arguments arguments(where);
    return arguments.reject(MPI_ERR_OTHER, "init-twice").error;
  }
  int level = MPI_THREAD_SINGLE;
  int code = MPI_SUCCESS;
  {
    const access::InsideMpi inside;
    code = PMPI_Init_thread(argc, argv, required, &level);
    if (code != MPI_SUCCESS) return code;
    Probe::get().start(level);
    if (Probe::get().orders.access != 0) access::begin();
    communicators_begin();
  }
  if (provided != nullptr) *provided = level;
  const Call call(where, Record{});
  return code;
}

Defect leak_of(const char* kind, const char* detail, const CallSite&) {
  Defect defect;
  defect.kind = kind;
  defect.detail = detail;
  return defect;
}

void report_leaks() {
  for (const Request* request : requests_left()) {
    if (request->persistent && !request->active) {
      const bool never = request->starts == 0;
      Defect defect = leak_of("request-leak", never ? "never-started" : "never-freed", request->made);
      const Operation& operation = request->operation;
      defect.comm = operation.comm->text;
      defect.peer = world_peer(*operation.comm, operation.what.peer);
      defect.tag = operation.what.tag == MPI_ANY_TAG ? trace::kNone : operation.what.tag;
      defect.bytes = static_cast<std::uint64_t>(operation.bytes());
      report(request->made, defect);
    } else if (request->active) {
      const Operation& operation = request->operation;
      Defect defect = leak_of("request-leak", request->persistent ? "never-completed" : "never-waited", request->made);
      if (operation.comm) defect.comm = operation.comm->text;
      if (request->kind != Request::Kind::collective) {
        defect.peer = world_peer(*operation.comm, operation.what.peer);
        defect.tag = operation.what.tag == MPI_ANY_TAG ? trace::kNone : operation.what.tag;
        defect.bytes = static_cast<std::uint64_t>(operation.bytes());
      }
      defect.request = operation.number;
      report(operation.what.where.pc != nullptr ? operation.what.where : request->made, defect);
    }
  }
  for (const CommunicatorPtr& communicator : communicators_left()) {
    Defect defect = leak_of("resource-leak", "communicator", communicator->made);
    defect.comm = communicator->text;
    report(communicator->made, defect);
  }
  for (const DatatypePtr& type : datatypes_left()) report(type->made, leak_of("resource-leak", "datatype", type->made));
}

bool anything_pending() {
  for (const Request* request : requests_left()) {
    if (request->active) return true;
  }
  return false;
}

int end(const CallSite& where) {
  Probe& probe = Probe::get();
  if (!probe.initialized.load() || probe.finalized.load()) {
    Arguments arguments(where);
    return arguments.reject(MPI_ERR_OTHER, probe.finalized.load() ? "finalize-twice" : "before-init").error;
  }
  delay();
  report_leaks();
  Thread& thread = Thread::current();
  int code = MPI_SUCCESS;
  {
    Call call(where, Record{});
    probe.recorder.finished();
    access::release_all();
    const access::InsideMpi inside;
    if (!anything_pending()) {
      // MPI's own way to wait for the others spins, and they may need the core.
      MPI_Request barrier = MPI_REQUEST_NULL;
      int done = 0;
      if (PMPI_Ibarrier(private_world(), &barrier) == MPI_SUCCESS) {
        for (p2p::Backoff backoff; done == 0; backoff.pause()) {
          if (PMPI_Test(&barrier, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) break;
        }
      }
      MPI_Comm own = private_world();
      PMPI_Comm_free(&own);
    }
    probe.finalized.store(true);
    code = PMPI_Finalize();
  }
  probe.recorder.finalized();
  if (thread.ring() != nullptr) thread.ring()->exited();
  return code;
}

}  // namespace
}  // namespace p2plab::probe

using namespace p2plab::probe;

P2PLAB_MPI int MPI_Init(int* argc, char*** argv) { return begin({"MPI_Init", P2PLAB_CALLER}, argc, argv, MPI_THREAD_SINGLE, nullptr); }
P2PLAB_MPI int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return begin({"MPI_Init_thread", P2PLAB_CALLER}, argc, argv, required, provided);
}
P2PLAB_MPI int MPI_Finalize(void) { return end({"MPI_Finalize", P2PLAB_CALLER}); }

P2PLAB_MPI int MPI_Abort(MPI_Comm comm, int code) {
  Defect defect;
  defect.kind = "wrong-exit";
  defect.detail = "abort";
  defect.parameters = {{"status", std::to_string(code)}};
  report({"MPI_Abort", P2PLAB_CALLER}, defect, true);
  return PMPI_Abort(comm, code);
}

P2PLAB_MPI int MPI_Buffer_detach(void* buffer, int* size) {
  const Call call({"MPI_Buffer_detach", P2PLAB_CALLER}, Record{});
  return PMPI_Buffer_detach(buffer, size);
}
