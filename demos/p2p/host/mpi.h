// MPI, called once per need and checked: an error code becomes a BackendError with MPI's own text. Only PMPI_ names, so
// that the profiling layer and the runtime never record a call twice.
#pragma once
#include <mpi.h>

#include "demos/p2p/backend.h"

namespace p2p::host {

/// Throws BackendError unless `code` is success.
void check(int code);

/// A request; test() is PMPI_Test. Dropped before completion it is left to MPI.
class Request final : public Pending {
 public:
  bool test() override {
    int done = 0;
    check(PMPI_Test(&request, &done, MPI_STATUS_IGNORE));
    return done != 0;
  }
  MPI_Request request = MPI_REQUEST_NULL;
};

/// Tests until it is complete, yielding and napping in between.
void wait(MPI_Request& request);

/// Largest standard send between ranks 0 and 1 that completes without a receive.
std::uint64_t measure_eager_limit(int rank, int size);

}  // namespace p2p::host
