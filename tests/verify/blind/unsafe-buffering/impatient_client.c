// A client sends its second question before it has read the first answer.
// ranks: 2
// variant wrong: -DWRONG => unsafe-buffering
// variant right: => pass
#include <mpi.h>

static void question(int q) { MPI_Send(&q, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); }
static int answer(void) {
  int a;
  MPI_Recv(&a, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return a;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int i = 0; i < 2; i++) {
      int q;
      MPI_Recv(&q, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      q *= q;
      MPI_Send(&q, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    }
  } else {
#ifdef WRONG
    question(2);
    question(3);
    sum = answer() + answer();
#else
    question(2);
    sum = answer();
    question(3);
    sum += answer();
#endif
  }
  MPI_Finalize();
  return rank == 0 || sum == 13 ? 0 : 1;
}
