// Two producers, one consumer that alternates between them by hope.
// ranks: 3
// variant wrong: -DWRONG => message-race
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 3 };

int main(int argc, char **argv) {
  int rank, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank > 0) {
    for (i = 0; i < ROUNDS; i++) {
      int value = 10 * rank + i;
      MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
  } else {
    int product = 1;
    for (i = 0; i < 2 * ROUNDS; i++) {
      int value;
#ifdef WRONG
      int from = MPI_ANY_SOURCE;
#else
      int from = 1 + i % 2;
#endif
      MPI_Recv(&value, 1, MPI_INT, from, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      product = i % 2 ? product - value : product * 2 + value;
    }
    printf("%d\n", product);
  }
  MPI_Finalize();
  return 0;
}
