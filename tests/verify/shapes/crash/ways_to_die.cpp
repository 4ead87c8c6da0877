// A rank aborts, divides by zero, or lets an exception out; the others wait for it.
// ranks: 2
// variant abort: -DHOW=1 => crash
// variant exception: -DHOW=2 => crash
// variant divide: -DHOW=3 => crash
// variant assert: -DHOW=4 => crash
// variant right: -DHOW=0 => pass
#undef NDEBUG
#include <mpi.h>

#include <cassert>
#include <cstdlib>
#include <stdexcept>
#include <vector>

static int half(int x, volatile int by) { return x / by; }

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 8;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
#if HOW == 1
    std::abort();
#elif HOW == 2
    throw std::runtime_error("no more work");
#elif HOW == 3
    x = half(x, 0);
#elif HOW == 4
    assert(x == 9);
#else
    x = half(x, 2);
#endif
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else {
    x = half(x, 2);
    MPI_Recv(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
