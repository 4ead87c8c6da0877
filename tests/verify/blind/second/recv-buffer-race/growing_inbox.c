// The array of received values grows, and moves, while receives into it are pending.
// ranks: 2
// variant wrong: -DWRONG => recv-buffer-race
// variant right: => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  enum { COUNT = 8, ROOM = 4000 };
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double *data = NULL;
  MPI_Request r[COUNT];
#ifndef WRONG
  data = malloc(COUNT * ROOM * sizeof *data);
#endif
  for (int i = 0; i < COUNT; i++) {
#ifdef WRONG
    data = realloc(data, (size_t)(i + 1) * ROOM * sizeof *data);
    if (i == COUNT / 2) {  // something comes in between, so that the next growth must move
      char *between = malloc(100);
      between[0] = 1;
    }
#endif
    if (rank == 0) MPI_Irecv(data + i * ROOM, 10, MPI_DOUBLE, 1, i, MPI_COMM_WORLD, &r[i]);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) {
    for (int i = 0; i < 10; i++) data[i] = i;
    for (int i = 0; i < COUNT; i++) MPI_Send(data, 10, MPI_DOUBLE, 0, i, MPI_COMM_WORLD);
  } else {
    MPI_Waitall(COUNT, r, MPI_STATUSES_IGNORE);
  }
  free(data);
  MPI_Finalize();
  return 0;
}
