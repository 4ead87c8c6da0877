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

  // Made and dropped once a message: each thread keeps the memory of its last one.
  static void* operator new(std::size_t bytes);
  static void operator delete(void* memory);
};

/// This process's place in the job. The destructor returns when every rank has come this far.
class Member {
 public:
  Member();
  ~Member();
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;
  int rank() const { return rank_; }
  int size() const { return size_; }
  /// Among the ranks of this machine, from 0; every rank asks.
  int local_rank() const;

 private:
  int rank_ = 0;
  int size_ = 1;
};

/// "MPICH 4.0.2"
std::string library();

std::unique_ptr<Request> start_send(const Transfer& transfer);
std::unique_ptr<Request> start_receive(const Transfer& transfer);
std::unique_ptr<Request> start_collective(const Collective& what, MPI_Comm comm = MPI_COMM_WORLD);
/// A communicator of these ranks; all of them call it.
MPI_Comm new_group(std::span<const int> ranks);

/// Tests until it is complete, yielding and napping in between.
void wait(MPI_Request& request);

/// Largest standard send between ranks 0 and 1 that completes without a receive.
std::uint64_t measure_eager_limit(int rank, int size);

}  // namespace p2p::host
