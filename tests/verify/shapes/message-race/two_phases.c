// Messages of two phases under one tag: a fast rank's second message is taken for a slow one's first.
// ranks: 3
// variant wrong: -DWRONG => message-race
// variant tagged: -DTAGGED => pass
// variant barrier: -DBARRIER => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int sums[2] = {0, 0};
  for (int phase = 0; phase < 2; phase++) {
#ifdef TAGGED
    int tag = phase;
#else
    int tag = 0;
#endif
    if (rank == 0) {
      for (int i = 1; i < size; i++) {
        int value;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sums[phase] += value;
      }
    } else {
      int value = phase ? 1000 * rank : rank;
      MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
#ifdef BARRIER
    MPI_Barrier(MPI_COMM_WORLD);
#endif
  }
  if (rank == 0) printf("%d %d\n", sums[0], sums[1]);
  MPI_Finalize();
  return 0;
}
