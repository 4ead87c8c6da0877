// Asks with MPI_Testall for a message of every other rank, of which one never comes though the others have.
// ranks: 3
// timeout: 9
// variant wrong: -DWRONG => livelock
// variant right: => pass
// quick: wrong
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, count = 0, all = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *in = malloc((size_t)size * sizeof *in), mine = rank;
  MPI_Request *requests = malloc((size_t)size * sizeof *requests);
  for (int peer = 0; peer < size; peer++) {
    if (peer != rank) MPI_Irecv(&in[peer], 1, MPI_DOUBLE, peer, 4, MPI_COMM_WORLD, &requests[count++]);
  }
  for (int peer = 0; peer < size; peer++) {
#ifdef WRONG
    if (rank == 1 && peer == 2) continue;
#endif
    if (peer != rank) MPI_Send(&mine, 1, MPI_DOUBLE, peer, 4, MPI_COMM_WORLD);
  }
  while (!all) MPI_Testall(count, requests, &all, MPI_STATUSES_IGNORE);
  free(requests);
  free(in);
  MPI_Finalize();
  return 0;
}
