// Only the members of a group make its communicator; one of them waits for a message instead, or calls with another tag.
// ranks: 3 4
// variant late: -DWRONG=1 => deadlock
// variant tag: -DWRONG=2 => deadlock
// variant right: => pass
// quick: late/3
#include <mpi.h>

#ifndef WRONG
#define WRONG 0
#endif

int main(int argc, char **argv) {
  int rank, x = 7, inside[] = {0, 1};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank < 2) {
    MPI_Group all, two;
    MPI_Comm comm;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, inside, &two);
#if WRONG == 1
    if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Comm_create_group(MPI_COMM_WORLD, two, WRONG == 2 ? rank : 5, &comm);
    if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
#if WRONG != 1
    if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Group_free(&two);
    MPI_Group_free(&all);
  }
  MPI_Finalize();
  return x == 7 ? 0 : 1;
}
