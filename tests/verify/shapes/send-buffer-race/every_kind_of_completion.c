// Whichever call completes the send gives the buffer back.
// ranks: 2
// sizes: tiny -DN=1, large -DN=20000
// variant test: -DHOW=1 => pass
// variant testany: -DHOW=2 => pass
// variant testsome: -DHOW=3 => pass
// variant testall: -DHOW=4 => pass
// variant waitany: -DHOW=5 => pass
// variant waitsome: -DHOW=6 => pass
// variant waitall: -DHOW=7 => pass
#include <mpi.h>

static int data[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, flag = 0, index, count = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < 3; round++) {
    MPI_Request request;
    if (rank == 0)
      MPI_Isend(data, N, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    else
      MPI_Irecv(data, N, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    flag = count = 0;
#if HOW == 1
    while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
#elif HOW == 2
    while (!flag) MPI_Testany(1, &request, &index, &flag, MPI_STATUS_IGNORE);
#elif HOW == 3
    while (count == 0) MPI_Testsome(1, &request, &count, &index, MPI_STATUSES_IGNORE);
#elif HOW == 4
    while (!flag) MPI_Testall(1, &request, &flag, MPI_STATUSES_IGNORE);
#elif HOW == 5
    MPI_Waitany(1, &request, &index, MPI_STATUS_IGNORE);
#elif HOW == 6
    MPI_Waitsome(1, &request, &count, &index, MPI_STATUSES_IGNORE);
#else
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
#endif
    for (int i = 0; i < N; i++) data[i] += i + 1;
  }
  (void)index, (void)count;
  MPI_Finalize();
  return flag < 0;
}
