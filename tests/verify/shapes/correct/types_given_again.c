// MPI_Type_get_contents gives the program handles of its own, which it frees; the type goes on without them.
// variant plain: => pass
// variant kept: -DKEPT => resource-leak
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, numbers[4], values[32] = {0};
  MPI_Aint addresses[4];
  MPI_Datatype column, wide, inner;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Type_vector(2, 1, 2, MPI_INT, &column);
  MPI_Type_create_resized(column, 0, 64, &wide);
  MPI_Type_commit(&wide);
  MPI_Type_get_contents(wide, 0, 2, 1, numbers, addresses, &inner);
  MPI_Type_free(&inner);
  MPI_Type_free(&column);
  MPI_Type_get_contents(wide, 0, 2, 1, numbers, addresses, &inner);
#ifndef KEPT
  MPI_Type_free(&inner);
#endif
  if (rank == 0) MPI_Send(values, 2, wide, 1, 0, MPI_COMM_WORLD);
  else MPI_Recv(values, 2, wide, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&wide);
  MPI_Finalize();
  return 0;
}
