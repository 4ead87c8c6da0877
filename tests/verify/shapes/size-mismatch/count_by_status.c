// A receive longer than the message: the status says how much came. Legal, also for an odd amount.
// ranks: 2 3
// variant right: => pass
// variant undefined-count: -DODD => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int buffer[100] = {0};
  if (rank > 0) {
    MPI_Send(buffer, 5 * rank, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else {
    for (int r = 1; r < size; r++) {
      MPI_Status status;
      int count;
      MPI_Recv(buffer, 100, MPI_INT, r, 0, MPI_COMM_WORLD, &status);
#ifdef ODD
      MPI_Get_count(&status, MPI_DOUBLE, &count);  // MPI_UNDEFINED for an odd number of ints
      if (count == MPI_UNDEFINED) count = -1;
#else
      MPI_Get_count(&status, MPI_INT, &count);
#endif
      printf("%d\n", count);
    }
  }
  MPI_Finalize();
  return 0;
}
