// Begin and end: MPI_Init, MPI_Finalize, sessions, MPI_Abort; what is left over at the end is told here.
#include <atomic>
#include <cstdlib>
#include <string>

#include "demos/probe/access/watch.h"
#include "demos/probe/attributes.h"
#include "demos/probe/collective.h"
#include "demos/probe/handles.h"

namespace p2plab::probe {
namespace {

/// MPI runs while the program is between MPI_Init and MPI_Finalize, or has a session. One that has only sessions (MPI 4.0,
/// section 11.3) has MPI's world all the same, made by us: so its ranks can be counted, and waited for at the end.
struct Lifetime {
  bool begun = false, ended = false;  ///< by the program, with MPI_Init and MPI_Finalize
  int level = MPI_THREAD_SINGLE;
  std::atomic<int> sessions{0};       ///< open
  std::atomic<bool> had_sessions{false};
  CallSite last_session;
};
Lifetime& lifetime() {
  static Lifetime lifetime;
  return lifetime;
}

int begin_mpi(int* argc, char*** argv, int required) {
  const access::InsideMpi inside;
  const int code = PMPI_Init_thread(argc, argv, required, &lifetime().level);
  if (code != MPI_SUCCESS) return code;
  Probe::get().start(lifetime().level);
  if (Probe::get().orders.access != 0) access::begin();
  communicators_begin();
  return code;
}

int begin(const CallSite& where, int* argc, char*** argv, int required, int* provided) {
  Lifetime& life = lifetime();
  if (life.begun) {
    Arguments arguments(where);
    return arguments.reject(MPI_ERR_OTHER, "init-twice").error;
  }
  if (!Probe::get().initialized.load()) {
    if (const int code = begin_mpi(argc, argv, required); code != MPI_SUCCESS) return code;
  }
  life.begun = true;
  // A program that has sessions beside its world gives each of them a level of its own.
  Probe::get().one_thread = life.level <= MPI_THREAD_FUNNELED && !life.had_sessions;
  Thread::current().is_main();
  if (provided != nullptr) *provided = life.level;
  const Call call(where, Record{});
  return MPI_SUCCESS;
}

Defect resource_leak(const char* what, StringHandle comm = 0) {
  Defect defect;
  defect.kind = "resource-leak";
  defect.detail = what;
  defect.comm = comm;
  return defect;
}

void report_leaks() {
  for (const Request* request : requests_left()) report_leak(*request);
  for (const CommunicatorPtr& communicator : communicators_left()) {
    if (!called_by_mpi(communicator->made)) report(communicator->made, resource_leak("communicator", communicator->text));
  }
  for (const DatatypePtr& type : datatypes_left()) {
    if (!called_by_mpi(type->made)) report(type->made, resource_leak("datatype"));
  }
  for (const CallSite& made : windows_left()) report(made, resource_leak("window"));  // MPICH aborts over it
  for (const LeftHandle& handle : handles_left()) {
    if (!called_by_mpi(handle.made)) report(handle.made, resource_leak(handle.what));
  }
}

bool anything_pending() {
  for (const Request* request : requests_left()) {
    if (request->active) return true;
  }
  return false;
}

int end_mpi(const CallSite& where) {
  Probe& probe = Probe::get();
  delay();
  let_go_of_self();
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

int end(const CallSite& where) {
  Lifetime& life = lifetime();
  if (!life.begun || life.ended) {
    Arguments arguments(where);
    return arguments.reject(MPI_ERR_OTHER, life.ended ? "finalize-twice" : "before-init").error;
  }
  life.ended = true;
  return life.sessions == 0 ? end_mpi(where) : MPI_SUCCESS;  // open sessions go on without the world
}

/// The last session may be followed by another: MPI ends with the process.
void end_with_process() {
  const Lifetime& life = lifetime();
  const Probe& probe = Probe::get();
  if (life.sessions == 0 && life.begun == life.ended && !probe.finalized.load()) end_mpi(life.last_session);
}

int begin_session(const CallSite& where, MPI_Info info, MPI_Errhandler handler, MPI_Session* out) {
  Lifetime& life = lifetime();
  if (!Probe::get().initialized.load()) {
    char level[64] = {};
    int room = sizeof level, found = 0;
    if (info != MPI_INFO_NULL) PMPI_Info_get_string(info, "thread_level", &room, level, &found);
    const std::string wish = level;
    const int required = wish == "MPI_THREAD_MULTIPLE"     ? MPI_THREAD_MULTIPLE
                         : wish == "MPI_THREAD_SERIALIZED" ? MPI_THREAD_SERIALIZED
                         : wish == "MPI_THREAD_FUNNELED"   ? MPI_THREAD_FUNNELED
                                                           : MPI_THREAD_SINGLE;
    if (const int code = begin_mpi(nullptr, nullptr, required); code != MPI_SUCCESS) return code;
  }
  Arguments arguments(where);
  if (arguments.pointer(out, "session").bad()) return arguments.error;
  if (!life.had_sessions.exchange(true)) std::atexit(end_with_process);
  Probe::get().one_thread = false;
  const Call call(where, Record{});
  const access::InsideMpi inside;
  const int code = PMPI_Session_init(info, handler, out);
  if (code == MPI_SUCCESS) ++life.sessions;
  return check(code, where, nullptr);
}

int end_session(const CallSite& where, MPI_Session* session) {
  Arguments arguments(where);
  if (arguments.pointer(session, "session").bad()) return arguments.error;
  Lifetime& life = lifetime();
  const Call call(where, Record{});
  const access::InsideMpi inside;
  const int code = PMPI_Session_finalize(session);
  life.last_session = where;
  if (code == MPI_SUCCESS) --life.sessions;
  return check(code, where, nullptr);
}

}  // namespace
}  // namespace p2plab::probe

using namespace p2plab::probe;

P2PLAB_MPI int MPI_Init(int* argc, char*** argv) { return begin({"MPI_Init", P2PLAB_CALLER}, argc, argv, MPI_THREAD_SINGLE, nullptr); }
P2PLAB_MPI int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return begin({"MPI_Init_thread", P2PLAB_CALLER}, argc, argv, required, provided);
}
P2PLAB_MPI int MPI_Finalize(void) { return end({"MPI_Finalize", P2PLAB_CALLER}); }
P2PLAB_MPI int MPI_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session* session) {
  return begin_session({"MPI_Session_init", P2PLAB_CALLER}, info, handler, session);
}
P2PLAB_MPI int MPI_Session_finalize(MPI_Session* session) { return end_session({"MPI_Session_finalize", P2PLAB_CALLER}, session); }
// Of the program's world, not of the one that we may have made for its sessions.
P2PLAB_MPI int MPI_Initialized(int* flag) {
  if (!lifetime().had_sessions) return PMPI_Initialized(flag);
  *flag = lifetime().begun ? 1 : 0;
  return MPI_SUCCESS;
}
P2PLAB_MPI int MPI_Finalized(int* flag) {
  if (!lifetime().had_sessions) return PMPI_Finalized(flag);
  *flag = lifetime().ended ? 1 : 0;
  return MPI_SUCCESS;
}

P2PLAB_MPI int MPI_Abort(MPI_Comm comm, int code) {
  Defect defect;
  defect.kind = "wrong-exit";
  defect.detail = "abort";
  defect.parameters = {{"status", std::to_string(code)}};
  report({"MPI_Abort", P2PLAB_CALLER}, defect, true);
  return PMPI_Abort(comm, code);
}
