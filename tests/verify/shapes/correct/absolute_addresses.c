// MPI_BOTTOM with a type of absolute addresses: the buffer pointer is null and that is right.
// ranks: 2
// variant right: => pass
#include <mpi.h>

static int alpha[3];
static double beta;

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, lengths[2] = {3, 1};
  MPI_Aint at[2];
  MPI_Datatype kinds[2] = {MPI_INT, MPI_DOUBLE}, both;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Get_address(alpha, &at[0]);
  MPI_Get_address(&beta, &at[1]);
  MPI_Type_create_struct(2, lengths, at, kinds, &both);
  MPI_Type_commit(&both);
  if (rank == 0) {
    alpha[2] = 7;
    beta = 0.25;
    MPI_Send(MPI_BOTTOM, 1, both, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Irecv(MPI_BOTTOM, 1, both, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (alpha[2] != 7 || beta != 0.25) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Type_free(&both);
  MPI_Finalize();
  return 0;
}
