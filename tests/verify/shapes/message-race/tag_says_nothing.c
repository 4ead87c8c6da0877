// Digits come from all ranks and are put one behind the other; that the tag is looked at does not say whose digit it is.
// ranks: 3 4
// variant wrong: -DWRONG => message-race at 0@take
// variant right: => pass
// quick: wrong/3 right/3
#include <mpi.h>
#include <stdio.h>

enum { DIGIT = 5 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank != 0) {
    MPI_Send(&rank, 1, MPI_INT, 0, DIGIT, MPI_COMM_WORLD);
  } else {
    long number = 0;
    for (int i = 1; i < size; i++) {
      int digit = 0;
      MPI_Status status;
      MPI_Recv(&digit, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);  // @take
      if (status.MPI_TAG != DIGIT) continue;
#ifdef WRONG
      number = number * 10 + digit;
#else
      number += digit;
#endif
    }
    printf("%ld\n", number);
  }
  MPI_Finalize();
  return 0;
}
