// Persistent collectives: made in one order by all ranks, started in any.
// ranks: 2 3
// variant right: => pass
// variant crossed: -DCROSSED => pass
// variant root: -DWRONG=1 => collective-mismatch at 1@bcast
// variant count: -DWRONG=2 => collective-mismatch at 1@sum
// variant order: -DWRONG=3 => collective-mismatch
// quick: root/2 crossed/2
#include <mpi.h>

#ifndef WRONG
#define WRONG 0
#endif

int main(int argc, char **argv) {
  int rank, size, word[4] = {0}, mine[4] = {1, 2, 3, 4}, sums[4] = {0};
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) word[0] = 5;
  const int swapped = WRONG == 3 && rank == 1;
  if (swapped) MPI_Allreduce_init(mine, sums, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Bcast_init(word, 4, MPI_INT, WRONG == 1 ? rank % 2 : 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);  // @bcast
  if (!swapped) MPI_Allreduce_init(mine, sums, WRONG == 2 ? 4 - rank % 2 : 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);  // @sum
  for (int round = 0; round < 3; ++round) {
#ifdef CROSSED
    MPI_Start(&requests[rank % 2]);
    MPI_Start(&requests[1 - rank % 2]);
#else
    MPI_Startall(2, requests);
#endif
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Finalize();
  return word[0] == 5 && sums[3] == 4 * size ? 0 : 1;
}
