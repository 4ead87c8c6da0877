// What MPI_Init has made is not the program's to free, under whatever name.
// ranks: 2
// variant freed: -DWRONG -DGO=MPI_Comm_free => invalid-argument at 0@go
// variant disconnected: -DWRONG -DGO=MPI_Comm_disconnect => invalid-argument at 0@go
// variant own-freed: -DGO=MPI_Comm_free => pass
// variant own-disconnected: -DGO=MPI_Comm_disconnect => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Init(&argc, &argv);
#ifdef WRONG
  comm = MPI_COMM_WORLD;
#else
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
#endif
  MPI_Barrier(comm);
  GO(&comm);  // @go
  MPI_Finalize();
  return 0;
}
