// A probe finds a message of one rank, and the receive that follows takes a message of any.
// ranks: 3
// variant wrong: -DWRONG => message-race|size-mismatch
// variant right: => pass
// variant mprobe: -DMPROBE => pass
#include <mpi.h>
#include <stdlib.h>

static void take(void) {
  MPI_Status status;
  int count;
#ifdef MPROBE
  MPI_Message message;
  MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &message, &status);
#else
  MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
#endif
  MPI_Get_count(&status, MPI_INT, &count);
  int *buffer = malloc(count * sizeof(int));
#if defined(MPROBE)
  MPI_Mrecv(buffer, count, MPI_INT, &message, MPI_STATUS_IGNORE);
#elif defined(WRONG)
  MPI_Recv(buffer, count, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
  MPI_Recv(buffer, count, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  free(buffer);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    for (int i = 1; i < size; i++) take();
  } else {
    int count = 10 * rank, *data = calloc(count, sizeof(int));
    MPI_Send(data, count, MPI_INT, 0, 0, MPI_COMM_WORLD);
    free(data);
  }
  MPI_Finalize();
  return 0;
}
