// The leaders of MPI_Intercomm_create give different tags: neither finds the other.
// ranks: 2 4
// variant wrong: -DTHEIR_TAG=13 => deadlock at 0@create
// variant right: -DTHEIR_TAG=12 => pass
// quick: wrong/4
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, sum = 0;
  MPI_Comm half, between;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int lower = rank < size / 2;
  MPI_Comm_split(MPI_COMM_WORLD, lower, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, lower ? size / 2 : 0, lower ? 12 : THEIR_TAG, &between);  // @create
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, between);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
