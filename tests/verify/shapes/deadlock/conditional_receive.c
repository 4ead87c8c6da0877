// Only ranks with an even value send, but the root waits for every rank.
// ranks: 4
// variant wrong: -DWRONG => deadlock
// variant right: => pass
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>

static bool has_news(int rank) { return rank % 2 == 0; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double news = rank * 0.5;
  if (rank > 0) {
    if (has_news(rank)) MPI_Send(&news, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
  } else {
    for (int r = 1; r < size; r++) {
#ifndef WRONG
      if (!has_news(r)) continue;
#endif
      MPI_Recv(&news, 1, MPI_DOUBLE, r, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      printf("%d: %g\n", r, news);
    }
  }
  MPI_Finalize();
  return 0;
}
