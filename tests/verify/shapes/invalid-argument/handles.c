// Handles that never were, are gone, or are not the program's to free.
// ranks: 2
// variant request: -DWRONG=1 => invalid-argument
// variant free-world: -DWRONG=2 => invalid-argument
// variant free-int: -DWRONG=3 => invalid-argument
// variant free-twice: -DWRONG=4 => invalid-argument
// variant right: => pass
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 0) MPI_Isend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#if WRONG == 1
  memset(&request, 0, sizeof request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#elif WRONG == 2
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_Comm_free(&world);
#elif WRONG == 3
  MPI_Datatype type = MPI_INT;
  MPI_Type_free(&type);
#elif WRONG == 4
  MPI_Comm copy, again;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  again = copy;
  MPI_Comm_free(&copy);
  MPI_Comm_free(&again);
#endif
  MPI_Finalize();
  return 0;
}
