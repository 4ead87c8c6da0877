// Monte Carlo: everybody throws, rank 0 adds up what comes from anybody.
// ranks: 4
// variant right: => pass
// variant reduce: -DREDUCE => pass
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int me, np;
  long hits = 0, total = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &np);
  srand(17 + me);
  for (int i = 0; i < 10000; i++) {
    double x = rand() / (double)RAND_MAX, y = rand() / (double)RAND_MAX;
    hits += x * x + y * y <= 1;
  }
#ifdef REDUCE
  MPI_Reduce(&hits, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
#else
  if (me) {
    MPI_Send(&hits, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD);
  } else {
    total = hits;
    for (int i = 1; i < np; i++) {
      MPI_Recv(&hits, 1, MPI_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      total += hits;
    }
  }
#endif
  if (me == 0) printf("pi is about %.3f\n", 4.0 * total / (10000.0 * np));
  MPI_Finalize();
  return 0;
}
