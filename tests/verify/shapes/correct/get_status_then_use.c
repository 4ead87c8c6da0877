// MPI_Request_get_status says that it is complete: from then on the buffer is the program's, before the request is freed.
// ranks: 2
// sizes: small -DN=10, large -DN=40000
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  static int data[N];
  int rank, done = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < 3; round++) {
    if (rank == 0) {
      MPI_Isend(data, N, MPI_INT, 1, round, MPI_COMM_WORLD, &request);
    } else {
      MPI_Irecv(data, N, MPI_INT, 0, round, MPI_COMM_WORLD, &request);
    }
    for (done = 0; !done;) MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++) data[i]++;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return data[N - 1] < 3;
}
