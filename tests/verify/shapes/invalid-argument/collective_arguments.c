// Wrong arguments of collectives and constructors.
// ranks: 2
// variant null-buffer: -DHOW=1 => invalid-argument
// variant negative-count: -DHOW=2 => invalid-argument
// variant null-op: -DHOW=3 => invalid-argument
// variant op-of-type: -DHOW=4 => invalid-argument
// variant null-comm: -DHOW=5 => invalid-argument
// variant color: -DHOW=6 => invalid-argument
// variant vector: -DHOW=7 => invalid-argument
// variant right: -DHOW=0 => pass
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, x[4] = {0}, y[4];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if HOW == 1
  MPI_Bcast(NULL, 4, MPI_INT, 0, MPI_COMM_WORLD);
#elif HOW == 2
  MPI_Bcast(x, -4, MPI_INT, 0, MPI_COMM_WORLD);
#elif HOW == 3
  MPI_Allreduce(x, y, 4, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD);
#elif HOW == 4
  MPI_Allreduce(x, y, 1, MPI_DOUBLE, MPI_BXOR, MPI_COMM_WORLD);
#elif HOW == 5
  MPI_Barrier(MPI_COMM_NULL);
#elif HOW == 6
  MPI_Comm c;
  MPI_Comm_split(MPI_COMM_WORLD, -7, rank, &c);
  MPI_Comm_free(&c);
#elif HOW == 7
  MPI_Datatype t;
  MPI_Type_vector(-2, 1, 2, MPI_INT, &t);
#else
  MPI_Allreduce(x, y, 4, MPI_INT, MPI_BXOR, MPI_COMM_WORLD);
#endif
  (void)x, (void)y;
  MPI_Finalize();
  return 0;
}
