// One column of a matrix is sent; the other columns may be written meanwhile, that one may not.
// ranks: 2
// sizes: small -DROWS=8, large -DROWS=3000
// variant wrong: -DTOUCH=2 => send-buffer-race at 0@isend
// variant right: -DTOUCH=1 => pass
// quick: wrong/small right/large
#include <mpi.h>

#define COLUMNS 6
static double matrix[ROWS][COLUMNS];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Datatype column;
  MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(&matrix[0][2], 1, column, 1, 0, MPI_COMM_WORLD, &request);  // @isend
    for (int r = 0; r < ROWS; r++) matrix[r][TOUCH] = r;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&matrix[0][2], 1, column, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&column);
  MPI_Finalize();
  return 0;
}
