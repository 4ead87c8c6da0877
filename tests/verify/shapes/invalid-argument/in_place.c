// MPI_IN_PLACE where this rank must give a buffer.
// ranks: 2
// variant bcast: -DHOW=1 => invalid-argument
// variant gather: -DHOW=2 => invalid-argument
// variant reduce: -DHOW=3 => invalid-argument
// variant all-to-all: -DHOW=4 => invalid-argument
// variant send: -DHOW=5 => invalid-argument
// variant right: -DHOW=0 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, mine = 1, all[2] = {1, 2};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if HOW == 0
  MPI_Gather(rank == 0 ? MPI_IN_PLACE : &mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : all, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Scatter(all, 1, MPI_INT, rank == 0 ? MPI_IN_PLACE : &mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
#elif HOW == 1
  MPI_Bcast(rank == 1 ? MPI_IN_PLACE : &mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
#elif HOW == 2
  MPI_Gather(rank == 1 ? MPI_IN_PLACE : &mine, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
#elif HOW == 3
  MPI_Reduce(rank == 1 ? MPI_IN_PLACE : &mine, all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
#elif HOW == 4
  MPI_Alltoall(all, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, MPI_COMM_WORLD);
#else
  if (rank == 0) MPI_Send(MPI_IN_PLACE, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  else MPI_Recv(all, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  (void)mine, (void)all;
  MPI_Finalize();
  return 0;
}
