// Any order gives the same result: a sum, a maximum, a count of arrivals.
// ranks: 3 4 5
// variant sum: -DHOW=0 => pass
// variant maximum: -DHOW=1 => pass
// variant count: -DHOW=2 => pass
// variant last: -DHOW=3 => message-race
// quick: sum/4 last/3
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size;
  long result = 0, value;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  value = 3 * rank + 1;
  if (rank) MPI_Send(&value, 1, MPI_LONG, 0, 2, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < size; i++) {
    MPI_Recv(&value, 1, MPI_LONG, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#if HOW == 0
    result += value;
#elif HOW == 1
    if (value > result) result = value;
#elif HOW == 2
    result++;
#else
    result = value;  // whoever comes last wins
#endif
  }
  if (rank == 0) printf("result %ld\n", result);
  MPI_Finalize();
  return 0;
}
