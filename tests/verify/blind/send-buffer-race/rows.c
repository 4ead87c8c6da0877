// Rows go out one by one while the next is written; the wrong one writes a row too low.
// ranks: 2
// variant wrong: -DSHIFT=0 => send-buffer-race
// variant right: -DSHIFT=1 => pass
#include <mpi.h>

enum { R = 6, C = 40 };
static long m[R + 1][C];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request q[R];
  for (int r = 0; r < R; r++) {
    if (rank == 0) {
      MPI_Isend(m[r], C, MPI_LONG, 1, r, MPI_COMM_WORLD, &q[r]);
      for (int c = 0; c < C; c++) m[r + SHIFT][c] = r + c;
    } else {
      MPI_Recv(m[r], C, MPI_LONG, 0, r, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  if (rank == 0) MPI_Waitall(R, q, MPI_STATUSES_IGNORE);
  MPI_Finalize();
  return 0;
}
