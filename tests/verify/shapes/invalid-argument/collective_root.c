// The root of a collective is no rank of the communicator.
// ranks: 2 3
// variant wrong: -DWRONG => invalid-argument
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int size, x = 1, root;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef WRONG
  root = size;
#else
  root = size - 1;
#endif
  MPI_Bcast(&x, 1, MPI_INT, root, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
