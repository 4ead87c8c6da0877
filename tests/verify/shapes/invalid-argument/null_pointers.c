// A status or a request pointer is null, or a status is asked that was ignored.
// ranks: 2
// variant status: -DHOW=1 => invalid-argument
// variant request: -DHOW=2 => invalid-argument
// variant ignored: -DHOW=3 => invalid-argument|crash
// variant statuses: -DHOW=4 => invalid-argument
// variant right: -DHOW=0 => pass
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 0, count = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Status status;
    MPI_Request request;
#if HOW == 1
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, NULL);
#elif HOW == 2
    MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, NULL);
#elif HOW == 3
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Get_count(MPI_STATUS_IGNORE, MPI_INT, &count);
#elif HOW == 4
    MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Waitall(1, &request, NULL);
#else
    MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    if (count != 1) MPI_Abort(MPI_COMM_WORLD, 1);
#endif
    (void)request, (void)status;
  }
  (void)count;
  MPI_Finalize();
  return 0;
}
