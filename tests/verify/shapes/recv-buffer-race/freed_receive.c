// The receive buffer is freed, or reallocated, before the message is in.
// ranks: 2
// variant free: -DWRONG=1 => recv-buffer-race at 1@irecv
// variant realloc: -DWRONG=2 => recv-buffer-race at 1@irecv
// variant right: => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  enum { COUNT = 512 };
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *inbox = malloc(COUNT * sizeof(int));
  if (rank == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < COUNT; i++) inbox[i] = i;
    MPI_Send(inbox, COUNT, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Irecv(inbox, COUNT, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);  // @irecv
#if WRONG == 1
    free(inbox);
    inbox = NULL;
#elif WRONG == 2
    inbox = realloc(inbox, 1000000);
#endif
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  free(inbox);
  MPI_Finalize();
  return 0;
}
