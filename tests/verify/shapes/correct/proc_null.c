// MPI_PROC_NULL as partner of every kind of call.
// ranks: 2
// variant right: => pass
// quick: right
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int value = 5, flag = 0;
  MPI_Request request[3];
  MPI_Status status;
  MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Ssend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  if (status.MPI_SOURCE != MPI_PROC_NULL || value != 5) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Sendrecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, &flag, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[0]);
  MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[1]);
  MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[2]);
  MPI_Start(&request[2]);
  MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
  MPI_Request_free(&request[2]);
  MPI_Finalize();
  return 0;
}
