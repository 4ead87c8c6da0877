// Neighbours on a ring do not agree about what they give each other.
// ranks: 3 4
// variant count: -DHOW=1 => collective-mismatch
// variant type: -DHOW=2 => collective-mismatch
// variant gathered: -DHOW=3 => collective-mismatch
// variant right: -DHOW=0 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  static int out[16], in[16];
  int rank, size, periodic = 1;
  MPI_Comm ring;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  MPI_Comm_rank(ring, &rank);
  int wrong = rank == 1;
  if (HOW == 3) {
    MPI_Neighbor_allgather(out, wrong ? 2 : 4, MPI_INT, in, 4, MPI_INT, ring);
  } else {
    MPI_Neighbor_alltoall(out, wrong && HOW == 1 ? 2 : 4, wrong && HOW == 2 ? MPI_FLOAT : MPI_INT, in, 4, MPI_INT, ring);
  }
  MPI_Comm_free(&ring);
  MPI_Finalize();
  return 0;
}
