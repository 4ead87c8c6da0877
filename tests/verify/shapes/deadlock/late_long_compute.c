// One rank computes for long, then both send first: the long computation is no deadlock, what follows is.
// ranks: 2
// timeout: 60
// variant wrong: -DWRONG => deadlock at 0@send 1@send
// variant right: => pass
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double work(double seconds) {
  volatile double x = 1.0;
  for (double begin = MPI_Wtime(); MPI_Wtime() - begin < seconds;)
    for (int i = 0; i < 10000; i++) x = x * 1.0000001 + 1e-9;
  return x;
}

int main(int argc, char **argv) {
  enum { COUNT = 200000 };
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double *out = malloc(COUNT * sizeof *out), *in = malloc(COUNT * sizeof *in);
  for (int i = 0; i < COUNT; i++) out[i] = rank;
  if (rank == 1) out[0] = work(1.5);
#ifdef WRONG
  MPI_Send(out, COUNT, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD);  // @send
  MPI_Recv(in, COUNT, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
  MPI_Sendrecv(out, COUNT, MPI_DOUBLE, 1 - rank, 0, in, COUNT, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
