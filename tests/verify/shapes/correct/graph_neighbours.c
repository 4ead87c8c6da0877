// Neighbourhood collectives on a ring made of a distributed graph.
// ranks: 3 4
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, in[2], out;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int around[2] = {(rank + 1) % size, (rank + size - 1) % size};
  MPI_Comm ring;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, around, MPI_UNWEIGHTED, 2, around, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
  out = rank;
  MPI_Neighbor_allgather(&out, 1, MPI_INT, in, 1, MPI_INT, ring);
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return in[0] == around[0] ? 0 : 1;
}
