// Triples of floats are received as triples of ints; as nine single floats they are fine.
// ranks: 2
// variant wrong: -DBASE=MPI_INT => type-mismatch
// variant right: -DBASE=MPI_FLOAT => pass
// variant flat: -DFLAT -DBASE=MPI_FLOAT => pass
#include <mpi.h>

int main(int argc, char **argv) {
  float v[9] = {0};
  int rank;
  MPI_Datatype sent, taken;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_contiguous(3, MPI_FLOAT, &sent);
  MPI_Type_contiguous(3, BASE, &taken);
  MPI_Type_commit(&sent);
  MPI_Type_commit(&taken);
  if (rank == 1) MPI_Bsend(v, 0, sent, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Send(v, 3, sent, 1, 0, MPI_COMM_WORLD);
#ifdef FLAT
  if (rank == 1) MPI_Recv(v, 9, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
  if (rank == 1) MPI_Recv(v, 3, taken, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  MPI_Type_free(&sent);
  MPI_Type_free(&taken);
  MPI_Finalize();
  return 0;
}
