// What a program ties to MPI_COMM_SELF is its way to be called by MPI_Finalize before anything ends.
// What it does there belongs to the program, so it is done before we say that MPI is over.
#include "demos/probe/attributes.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "demos/probe/probe.h"

namespace p2plab::probe {
namespace {

struct Tied {
  std::mutex mutex;
  std::vector<int> keys;  ///< in the order in which they were set
};
Tied& tied() {
  static Tied* const kTied = new Tied;
  return *kTied;
}

void remember(MPI_Comm comm, int key, bool set) {
  if (comm != MPI_COMM_SELF) return;
  const std::lock_guard lock(tied().mutex);
  std::erase(tied().keys, key);
  if (set) tied().keys.push_back(key);
}

int set(MPI_Comm comm, int key, void* value) {
  const int code = PMPI_Comm_set_attr(comm, key, value);
  if (code == MPI_SUCCESS) remember(comm, key, true);
  return code;
}

int remove(MPI_Comm comm, int key) {
  const int code = PMPI_Comm_delete_attr(comm, key);
  if (code == MPI_SUCCESS) remember(comm, key, false);
  return code;
}

}  // namespace

void let_go_of_self() {
  MPI_Errhandler before = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(MPI_COMM_SELF, &before);
  PMPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (;;) {  // a callback may set another
    int key = MPI_KEYVAL_INVALID;
    {
      const std::lock_guard lock(tied().mutex);
      if (tied().keys.empty()) break;
      key = tied().keys.back();
      tied().keys.pop_back();
    }
    PMPI_Comm_delete_attr(MPI_COMM_SELF, key);
  }
  PMPI_Comm_set_errhandler(MPI_COMM_SELF, before);
  if (before != MPI_ERRHANDLER_NULL) PMPI_Errhandler_free(&before);
}

}  // namespace p2plab::probe

using namespace p2plab::probe;

P2PLAB_MPI int MPI_Comm_set_attr(MPI_Comm comm, int key, void* value) { return set(comm, key, value); }
P2PLAB_MPI int MPI_Attr_put(MPI_Comm comm, int key, void* value) { return set(comm, key, value); }
P2PLAB_MPI int MPI_Comm_delete_attr(MPI_Comm comm, int key) { return remove(comm, key); }
P2PLAB_MPI int MPI_Attr_delete(MPI_Comm comm, int key) { return remove(comm, key); }
