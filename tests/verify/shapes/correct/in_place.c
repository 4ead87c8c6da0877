// MPI_IN_PLACE in many collectives.
// ranks: 2 3
// variant right: => pass
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 1, all[16] = {0};
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  all[rank] = rank + 1;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
  if (rank == 0)
    MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  else
    MPI_Gather(&all[rank], 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
  if (rank == 0)
    MPI_Reduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  else
    MPI_Reduce(&x, NULL, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Finalize();
  return x == size ? 0 : 1;
}
