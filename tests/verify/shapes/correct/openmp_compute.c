// OpenMP threads compute while the master thread's messages are in flight, on other memory.
// ranks: 2
// cflags: -fopenmp
// variant right: => pass
// variant wrong: -DWRONG => recv-buffer-race at 1@irecv
#include <mpi.h>

enum { N = 4000 };
static double halo[N], inner[N];

int main(int argc, char **argv) {
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(halo, N, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    double sum = 0;
    MPI_Irecv(halo, N, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);  // @irecv
#ifdef WRONG
    const double *from = halo;
#else
    const double *from = inner;
#endif
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int i = 0; i < N; i++) sum += from[i];
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    inner[0] = sum;
  }
  MPI_Finalize();
  return 0;
}
