// Checked calls and the wait that gives way.
#include "demos/p2p/host/mpi.h"

#include "demos/p2p/waiting.h"

namespace p2p::host {

void check(int code) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  PMPI_Error_string(code, text, &length);
  // "Message truncated, error stack: …": the stack is MPICH's own business.
  std::string line(text, static_cast<std::size_t>(length));
  line = line.substr(0, line.find(", error stack"));
  for (char& c : line) {
    if (c == '\n') c = ' ';
  }
  throw BackendError(line);
}

void wait(MPI_Request& request) {
  int done = 0;
  for (Backoff backoff;; backoff.pause()) {
    check(PMPI_Test(&request, &done, MPI_STATUS_IGNORE));
    if (done != 0) return;
  }
}

}  // namespace p2p::host
