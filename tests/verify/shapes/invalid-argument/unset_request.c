// MPI_Waitall is given one request more than was started; its element holds whatever the memory held.
// ranks: 2
// variant wrong: -DWAITED=3 => invalid-argument at 0@waitall
// variant right: -DWAITED=2 => pass
// quick: wrong
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv) {
  double data[2] = {1, 2};
  int rank;
  MPI_Request requests[3];
  memset(requests, 0x5a, sizeof requests);  // what the stack held, made the same every time
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 2; i++) {
    if (rank == 0) MPI_Isend(&data[i], 1, MPI_DOUBLE, 1, i, MPI_COMM_WORLD, &requests[i]);
    if (rank == 1) MPI_Irecv(&data[i], 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, &requests[i]);
  }
  if (rank == 0) MPI_Waitall(WAITED, requests, MPI_STATUSES_IGNORE);  // @waitall
  if (rank == 1) MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
