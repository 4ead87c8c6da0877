// The inner block of a matrix is received while its border is being computed.
// ranks: 2
// variant right: => pass
// variant wrong: -DWRONG => recv-buffer-race at 1@irecv
#include <mpi.h>

enum { SIDE = 20, BORDER = 2 };
static int field[SIDE][SIDE];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int whole[2] = {SIDE, SIDE}, part[2] = {SIDE - 2 * BORDER, SIDE - 2 * BORDER}, start[2] = {BORDER, BORDER};
  MPI_Datatype inner;
  MPI_Type_create_subarray(2, whole, part, start, MPI_ORDER_C, MPI_INT, &inner);
  MPI_Type_commit(&inner);
  if (rank == 0) {
    MPI_Send(field, 1, inner, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Irecv(field, 1, inner, 0, 0, MPI_COMM_WORLD, &request);  // @irecv
#ifdef WRONG
    int edge = BORDER;
#else
    int edge = BORDER - 1;
#endif
    for (int i = 0; i < SIDE; i++) {
      field[edge][i] = 1;
      field[i][SIDE - 1] = 2;
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&inner);
  MPI_Finalize();
  return 0;
}
