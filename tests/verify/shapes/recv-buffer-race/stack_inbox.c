// A function posts a receive into its own local array and leaves.
// ranks: 2
// variant wrong: -DWRONG => recv-buffer-race also crash
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

static MPI_Request post(int *keep) {
  MPI_Request request;
#ifdef WRONG
  int local[20];
  keep = local;
#endif
  MPI_Irecv(keep, 20, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);  // @irecv
  return request;
}

static int add(int n) {
  int table[40], sum = 0;
  for (int i = 0; i < 40; i++) table[i] = n + i;
  for (int i = 0; i < 40; i++) sum += table[i];
  return sum;
}

int main(int argc, char **argv) {
  int rank, values[20] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    MPI_Request request = post(values);
    int sum = add(5);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("%d %d\n", sum, values[0]);
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(values, 20, MPI_INT, 1, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
