// Completion in any order: Waitany, Waitsome, Testany, Testsome, Testall.
// ranks: 3 4
// variant waitany: -DHOW=1 => pass
// variant waitsome: -DHOW=2 => pass
// variant testany: -DHOW=3 => pass
// variant testsome: -DHOW=4 => pass
// variant testall: -DHOW=5 => pass
// quick: waitsome/4
#include <mpi.h>
#include <stdio.h>

enum { EACH = 3, MOST = 16 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank != 0) {
    for (int i = 0; i < EACH; i++) {
      int value = 10 * rank + i;
      MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    }
  } else {
    int count = EACH * (size - 1), values[MOST], done = 0, sum = 0;
    MPI_Request requests[MOST];
    for (int i = 0; i < count; i++)
      MPI_Irecv(&values[i], 1, MPI_INT, 1 + i / EACH, i % EACH, MPI_COMM_WORLD, &requests[i]);
    while (done < count) {
      int index = MPI_UNDEFINED, number = 0, flag = 0, indices[MOST];
#if HOW == 1
      MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
      number = 1, indices[0] = index;
#elif HOW == 2
      MPI_Waitsome(count, requests, &number, indices, MPI_STATUSES_IGNORE);
#elif HOW == 3
      MPI_Testany(count, requests, &index, &flag, MPI_STATUS_IGNORE);
      if (flag) number = 1, indices[0] = index;
#elif HOW == 4
      MPI_Testsome(count, requests, &number, indices, MPI_STATUSES_IGNORE);
#else
      MPI_Testall(count, requests, &flag, MPI_STATUSES_IGNORE);
      if (flag)
        for (number = 0; number < count; number++) indices[number] = number;
#endif
      (void)index, (void)flag;
      for (int k = 0; k < number; k++) sum += values[indices[k]];
      done += number;
    }
    printf("sum %d\n", sum);
  }
  MPI_Finalize();
  return 0;
}
