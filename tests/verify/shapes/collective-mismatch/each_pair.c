// In Alltoallw each pair of ranks has a count and a type of its own; one pair does not agree.
// ranks: 2 3
// variant type: -DHOW=1 => collective-mismatch
// variant count: -DHOW=2 => collective-mismatch
// variant non-blocking: -DHOW=3 => collective-mismatch
// variant right: -DHOW=0 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  static double in[8], out[8];
  int rank, size, out_counts[4], in_counts[4], at[4];
  MPI_Datatype out_types[4], in_types[4];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; ++i) {
    out_counts[i] = in_counts[i] = 1;
    out_types[i] = in_types[i] = rank == i ? MPI_DOUBLE : MPI_INT;
    at[i] = i * 16;
  }
  if (rank == 1) {
    if (HOW == 1) in_types[0] = MPI_FLOAT;
    if (HOW >= 2) in_counts[0] = 2;
  }
  if (HOW == 3) {
    MPI_Request request;
    MPI_Ialltoallw(out, out_counts, at, out_types, in, in_counts, at, in_types, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Alltoallw(out, out_counts, at, out_types, in, in_counts, at, in_types, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
