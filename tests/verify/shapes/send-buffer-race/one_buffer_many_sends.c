// One buffer is filled and sent anew to every worker, with a single wait at the end.
// ranks: 3 5
// sizes: tiny -DN=1, large -DN=20000
// variant wrong: -DWRONG => send-buffer-race at 0@isend
// variant right: => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    MPI_Request *requests = malloc((size - 1) * sizeof(MPI_Request));
#ifdef WRONG
    double *task = malloc(N * sizeof(double));
#else
    double *tasks = malloc((size_t)(size - 1) * N * sizeof(double));
#endif
    for (int worker = 1; worker < size; worker++) {
#ifndef WRONG
      double *task = tasks + (size_t)(worker - 1) * N;
#endif
      for (int i = 0; i < N; i++) task[i] = worker + i;
      MPI_Isend(task, N, MPI_DOUBLE, worker, 0, MPI_COMM_WORLD, &requests[worker - 1]);  // @isend
    }
    MPI_Waitall(size - 1, requests, MPI_STATUSES_IGNORE);
#ifdef WRONG
    free(task);
#else
    free(tasks);
#endif
    free(requests);
  } else {
    double *task = malloc(N * sizeof(double));
    MPI_Recv(task, N, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    free(task);
  }
  MPI_Finalize();
  return 0;
}
