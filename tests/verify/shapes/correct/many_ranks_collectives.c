// Every collective once, on five ranks and on a subset of them.
// ranks: 5
// variant right: => pass
#include <mpi.h>

enum { MOST = 5 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, a[MOST] = {1, 2, 3, 4, 5}, b[MOST * MOST], one = 1, out = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm comm = MPI_COMM_WORLD, some;
  MPI_Comm_split(MPI_COMM_WORLD, rank < 3, rank, &some);
  for (int i = 0; i < 2; i++, comm = some) {
    MPI_Comm_size(comm, &size);
    MPI_Barrier(comm);
    MPI_Bcast(a, MOST, MPI_INT, size - 1, comm);
    MPI_Reduce(&one, &out, 1, MPI_INT, MPI_SUM, size - 1, comm);
    MPI_Allreduce(&one, &out, 1, MPI_INT, MPI_SUM, comm);
    MPI_Gather(&one, 1, MPI_INT, b, 1, MPI_INT, 0, comm);
    MPI_Allgather(&one, 1, MPI_INT, b, 1, MPI_INT, comm);
    MPI_Scatter(b, 1, MPI_INT, &one, 1, MPI_INT, 0, comm);
    MPI_Alltoall(a, 1, MPI_INT, b, 1, MPI_INT, comm);
    MPI_Reduce_scatter_block(a, &out, 1, MPI_INT, MPI_SUM, comm);
    MPI_Scan(&one, &out, 1, MPI_INT, MPI_SUM, comm);
    MPI_Exscan(&one, &out, 1, MPI_INT, MPI_SUM, comm);
  }
  MPI_Comm_free(&some);
  MPI_Finalize();
  return 0;
}
