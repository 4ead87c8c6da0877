// A derived type against its parts: vector to contiguous, column to row; and one with another signature.
// ranks: 2
// variant column-row: => pass
// variant struct: -DSTRUCT=MPI_DOUBLE => pass
// variant wrong: -DSTRUCT=MPI_INT => type-mismatch|size-mismatch
// quick: column-row
#include <mpi.h>

enum { ROWS = 5, COLUMNS = 3 };

int main(int argc, char **argv) {
  double matrix[ROWS][COLUMNS] = {{0}}, line[ROWS];
  int rank;
  MPI_Datatype column;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef STRUCT
  int lengths[ROWS];
  MPI_Aint at[ROWS];
  MPI_Datatype types[ROWS];
  for (int i = 0; i < ROWS; i++) {
    lengths[i] = 1;
    at[i] = i * COLUMNS * (MPI_Aint)sizeof(double);
    types[i] = i == 2 ? STRUCT : MPI_DOUBLE;
  }
  MPI_Type_create_struct(ROWS, lengths, at, types, &column);
#else
  MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
#endif
  MPI_Type_commit(&column);
  if (rank == 0)
    MPI_Send(&matrix[0][1], 1, column, 1, 0, MPI_COMM_WORLD);
  else
    MPI_Recv(line, ROWS, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&column);
  MPI_Finalize();
  return 0;
}
