// Persistent receives and sends completed by Testsome, Testany and Waitsome in rounds, each used as soon as it is said to be
// complete; the first request is the last one to be answered.
// ranks: 2 3
// variant waitsome: -DHOW=1 => pass
// variant testany: -DHOW=2 => pass
// variant testsome: -DHOW=3 => pass
// quick: testany/3 testsome/2
#include <mpi.h>
#include <stdio.h>

enum { PARTS = 4, ROUNDS = 5 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  int got[PARTS], mine[PARTS];
  long sum = 0;
  MPI_Request requests[2 * PARTS];
  for (int i = 0; i < PARTS; i++) {
    MPI_Recv_init(&got[i], 1, MPI_INT, before, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Send_init(&mine[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &requests[PARTS + i]);
  }
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < PARTS; i++) mine[i] = 100 * round + 10 * rank + i;
    MPI_Startall(PARTS, requests);
    for (int i = PARTS - 1; i >= 0; i--) MPI_Start(&requests[PARTS + i]);
    int done = 0;
    while (done < 2 * PARTS) {
      int number = 0, indices[2 * PARTS];
#if HOW == 1
      MPI_Waitsome(2 * PARTS, requests, &number, indices, MPI_STATUSES_IGNORE);
#elif HOW == 2
      MPI_Testany(2 * PARTS, requests, &indices[0], &number, MPI_STATUS_IGNORE);
#else
      MPI_Testsome(2 * PARTS, requests, &number, indices, MPI_STATUSES_IGNORE);
#endif
      for (int k = 0; k < number; k++)
        if (indices[k] < PARTS) sum += got[indices[k]];
      done += number;
    }
  }
  for (int i = 0; i < 2 * PARTS; i++) MPI_Request_free(&requests[i]);
  printf("sum %ld\n", sum);
  MPI_Finalize();
  return 0;
}
