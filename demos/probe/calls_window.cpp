// Windows, as far as their calls are collective: who is missing shows before MPI would spin for it.
#include <unordered_map>

#include "demos/probe/collective.h"

namespace p2plab::probe {
namespace {

struct Window {
  MPI_Comm comm;
  CallSite made;
};
struct Windows {
  std::mutex mutex;
  std::unordered_map<MPI_Win, Window> made;
};
Windows& windows() {
  static Windows* const kWindows = new Windows;
  return *kWindows;
}

int make(const CallSite& where, MPI_Comm comm, MPI_Win* out, const std::function<int()>& call) {
  Collective collective(where, comm);
  collective.arguments.pointer(out, "win");
  const int code = collective.together(call);
  if (code != MPI_SUCCESS) return code;
  const Guard lock(windows().mutex);
  windows().made[*out] = {comm, where};
  return code;
}

/// A collective call on a window: on the communicator that it was made of.
int together(const CallSite& where, MPI_Win window, const std::function<int()>& call) {
  MPI_Comm comm = MPI_COMM_NULL;
  {
    const Guard lock(windows().mutex);
    const auto it = windows().made.find(window);
    if (it != windows().made.end()) comm = it->second.comm;
  }
  if (find_communicator(comm) == nullptr) return call();  // not known, or freed since: MPI's own matter
  return Collective(where, comm).together(call);
}

int free_window(const CallSite& where, MPI_Win* window) {
  const MPI_Win handle = window == nullptr ? MPI_WIN_NULL : *window;
  const int code = together(where, handle, [&] { return PMPI_Win_free(window); });
  if (code == MPI_SUCCESS) {
    const Guard lock(windows().mutex);
    windows().made.erase(handle);
  }
  return code;
}

}  // namespace

std::vector<CallSite> windows_left() {
  const Guard lock(windows().mutex);
  std::vector<CallSite> left;
  for (const auto& [handle, window] : windows().made) left.push_back(window.made);
  return left;
}

}  // namespace p2plab::probe

using namespace p2plab::probe;

P2PLAB_MPI int MPI_Win_create(void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* window) {
  return make({"MPI_Win_create", P2PLAB_CALLER}, comm, window, [&] { return PMPI_Win_create(base, size, unit, info, comm, window); });
}
P2PLAB_MPI int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* window) {
  return make({"MPI_Win_allocate", P2PLAB_CALLER}, comm, window, [&] { return PMPI_Win_allocate(size, unit, info, comm, base, window); });
}
P2PLAB_MPI int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* window) {
  return make({"MPI_Win_allocate_shared", P2PLAB_CALLER}, comm, window,
              [&] { return PMPI_Win_allocate_shared(size, unit, info, comm, base, window); });
}
P2PLAB_MPI int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* window) {
  return make({"MPI_Win_create_dynamic", P2PLAB_CALLER}, comm, window, [&] { return PMPI_Win_create_dynamic(info, comm, window); });
}
P2PLAB_MPI int MPI_Win_fence(int assertion, MPI_Win window) {
  return together({"MPI_Win_fence", P2PLAB_CALLER}, window, [&] { return PMPI_Win_fence(assertion, window); });
}
P2PLAB_MPI int MPI_Win_free(MPI_Win* window) {
  return free_window({"MPI_Win_free", P2PLAB_CALLER}, window);
}
