// Odd-even transposition sort, a value a rank.
// ranks: 5
// variant right: => pass
// variant wrong: -DWRONG => deadlock
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int mine = (rank * 37 + 11) % 23, other;
  for (int phase = 0; phase < size; phase++) {
    int partner = (phase + rank) % 2 == 0 ? rank + 1 : rank - 1;
#ifdef WRONG
    if (partner < 0) partner = size - 1;
    if (partner >= size) continue;
#else
    if (partner < 0 || partner >= size) continue;
#endif
    MPI_Sendrecv(&mine, 1, MPI_INT, partner, phase, &other, 1, MPI_INT, partner, phase, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if ((rank < partner) == (other < mine)) mine = other;
  }
  MPI_Finalize();
  return 0;
}
