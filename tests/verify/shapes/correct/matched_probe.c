// Mprobe and Mrecv, Improbe and Imrecv.
// ranks: 2 3
// variant right: => pass
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    for (int left = 2 * (size - 1); left > 0; left--) {
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Status status;
      int count, there = 0;
      if (left % 2)
        while (!there) MPI_Improbe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &message, &status);
      else
        MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &message, &status);
      MPI_Get_count(&status, MPI_INT, &count);
      int *data = malloc((size_t)count * sizeof(int));
      if (left % 3) {
        MPI_Mrecv(data, count, MPI_INT, &message, MPI_STATUS_IGNORE);
      } else {
        MPI_Request request;
        MPI_Imrecv(data, count, MPI_INT, &message, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      }
      free(data);
    }
  } else {
    int data[100] = {0};
    MPI_Send(data, 10 * rank, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Send(data, 20 * rank, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
