// The eager limit by experiment: rank 0 sends while rank 1 makes progress but posts no receive. What completes all the
// same was buffered. Runs on a communicator of its own and leaves nothing behind.
#include <sched.h>

#include <vector>

#include "app/trace/clock.h"
#include "demos/p2p/host/mpi.h"

namespace p2p::host {
namespace {

constexpr int kProbe = 0, kVerdict = 1;  // tags
constexpr int kLargest = 8 << 20;
constexpr int kPolls = 100;
constexpr std::int64_t kPatienceNs = 2'000'000;

// True if the send is complete although nobody receives.
bool completes(MPI_Request& request) {
  const std::int64_t begin = p2plab::trace::monotonic_ns();
  int done = 0;
  for (int poll = 0; poll < kPolls || p2plab::trace::monotonic_ns() - begin < kPatienceNs; ++poll) {
    check(PMPI_Test(&request, &done, MPI_STATUS_IGNORE));
    if (done != 0) return true;
    ::sched_yield();
  }
  return false;
}

// One experiment with `bytes`; both ranks return the answer.
bool try_size(int rank, int bytes, std::vector<char>& buffer, MPI_Comm comm) {
  int buffered = 0;
  if (rank == 0) {
    MPI_Request probe, verdict;
    check(PMPI_Isend(buffer.data(), bytes, MPI_BYTE, 1, kProbe, comm, &probe));
    buffered = completes(probe) ? 1 : 0;
    check(PMPI_Isend(&buffered, 1, MPI_INT, 1, kVerdict, comm, &verdict));
    wait(verdict);
    wait(probe);
  } else {
    MPI_Request probe, verdict;
    check(PMPI_Irecv(&buffered, 1, MPI_INT, 0, kVerdict, comm, &verdict));
    wait(verdict);
    check(PMPI_Irecv(buffer.data(), bytes, MPI_BYTE, 0, kProbe, comm, &probe));
    wait(probe);
  }
  return buffered != 0;
}

}  // namespace

std::uint64_t measure_eager_limit(int rank, int size) {
  if (size < 2) return 0;
  MPI_Comm comm;
  MPI_Request request;
  check(PMPI_Comm_idup(MPI_COMM_WORLD, &comm, &request));
  wait(request);
  std::uint64_t limit = 0;
  if (rank < 2) {
    std::vector<char> buffer(kLargest);
    int passes = 0;  // largest size known to pass, and smallest known to wait
    int waits = kLargest + 1;
    for (int bytes = 1; bytes <= kLargest && waits > kLargest; bytes *= 2) {
      (try_size(rank, bytes, buffer, comm) ? passes : waits) = bytes;
    }
    while (waits - passes > 1 && passes < kLargest) {
      const int bytes = passes + (waits - passes) / 2;
      (try_size(rank, bytes, buffer, comm) ? passes : waits) = bytes;
    }
    limit = static_cast<std::uint64_t>(passes);
  }
  check(PMPI_Ibcast(&limit, 1, MPI_UINT64_T, 0, comm, &request));
  wait(request);
  check(PMPI_Comm_free(&comm));
  return limit;
}

}  // namespace p2p::host
