// A single test, and the buffer is used whatever it answered. The message has long been there, so the answer would be yes.
// ranks: 2
// variant one: -DWRONG=1 => recv-buffer-race at 1@irecv
// variant all: -DWRONG=2 => recv-buffer-race at 1@irecv
// variant any: -DWRONG=3 => recv-buffer-race at 1@irecv
// variant some: -DWRONG=4 => recv-buffer-race at 1@irecv
// variant right: -DWRONG=0 => pass
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, data[16] = {0}, flag = 0, index, status = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    data[0] = 7;
    MPI_Send(data, 16, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Irecv(data, 16, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);  // @irecv
    usleep(20000);
#if WRONG == 1
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
#elif WRONG == 2
    MPI_Testall(1, &request, &flag, MPI_STATUSES_IGNORE);
#elif WRONG == 3
    MPI_Testany(1, &request, &index, &flag, MPI_STATUS_IGNORE);
#elif WRONG == 4
    MPI_Testsome(1, &request, &flag, &index, MPI_STATUSES_IGNORE);
#else
    for (int i = 0; !flag && i < 3; i++) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    if (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    if (flag)
#endif
    status = data[0] == 8;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    status = status || data[0] != 7;
  }
  MPI_Finalize();
  return status;
}
