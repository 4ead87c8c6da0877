// Two groups make an inter-communicator by themselves, and each rank speaks to its partner on the other side.
// ranks: 4
// variant both-receive: -DWRONG=1 => deadlock at 0@receive 2@receive
// variant unfreed: -DWRONG=2 => resource-leak
// variant right: => pass
// quick: both-receive right
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, mine, theirs = -1;
  const int low[2] = {0, 1}, high[2] = {2, 3};
  MPI_Group world, left, right;
  MPI_Comm across;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mine = rank;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 2, low, &left);
  MPI_Group_incl(world, 2, high, &right);
  MPI_Intercomm_create_from_groups(rank < 2 ? left : right, 0, rank < 2 ? right : left, 0, "sides", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &across);
#if defined WRONG && WRONG == 1
  if (rank == 3) MPI_Send(&mine, 1, MPI_INT, 1, 0, across);
  MPI_Recv(&theirs, 1, MPI_INT, rank % 2, 0, across, MPI_STATUS_IGNORE);  // @receive
  if (rank != 3) MPI_Send(&mine, 1, MPI_INT, rank % 2, 0, across);
#else
  MPI_Sendrecv(&mine, 1, MPI_INT, rank % 2, 0, &theirs, 1, MPI_INT, rank % 2, 0, across, MPI_STATUS_IGNORE);
#endif
  if (theirs != (rank + 2) % 4) MPI_Abort(MPI_COMM_WORLD, 1);
#if !defined WRONG || WRONG != 2
  MPI_Comm_free(&across);
#endif
  MPI_Group_free(&left);
  MPI_Group_free(&right);
  MPI_Group_free(&world);
  MPI_Finalize();
  return 0;
}
