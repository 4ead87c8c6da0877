// A rank polls for ever for what cannot come.
// ranks: 2
// timeout: 9
// variant test: -DHOW=1 => livelock
// variant iprobe: -DHOW=2 => livelock
// variant right: -DHOW=0 => pass
// quick: test
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, flag = 0, value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
#if HOW == 2
    while (!flag) MPI_Iprobe(1, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
#endif
  } else {
#if HOW == 0
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
#endif
  }
  MPI_Finalize();
  return 0;
}
