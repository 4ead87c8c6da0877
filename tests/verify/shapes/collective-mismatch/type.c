// The ranks do not agree on the type, though the number of bytes is the same; a derived type of the same parts is fine.
// ranks: 2
// variant bcast: -DWHAT=MPI_FLOAT -DCOUNT=12 => collective-mismatch|type-mismatch
// variant double: -DWHAT=MPI_DOUBLE -DCOUNT=6 => collective-mismatch|type-mismatch
// variant derived: -DDERIVED => pass
// variant right: -DWHAT=MPI_INT -DCOUNT=12 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  double storage[16] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef DERIVED
  MPI_Datatype triple;
  MPI_Type_contiguous(3, MPI_INT, &triple);
  MPI_Type_commit(&triple);
  if (rank == 0)
    MPI_Bcast(storage, 4, triple, 0, MPI_COMM_WORLD);
  else
    MPI_Bcast(storage, 12, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Type_free(&triple);
#else
  if (rank == 0)
    MPI_Bcast(storage, 12, MPI_INT, 0, MPI_COMM_WORLD);
  else
    MPI_Bcast(storage, COUNT, WHAT, 0, MPI_COMM_WORLD);
#endif
  MPI_Finalize();
  return 0;
}
