// Wildcard receives posted for all, finished by Waitany, placed by status.
// ranks: 4
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, table[8] = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    int slot[8], which;
    MPI_Request q[8];
    MPI_Status s;
    for (int i = 0; i < size - 1; i++) MPI_Irecv(&slot[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &q[i]);
    for (int i = 0; i < size - 1; i++) {
      MPI_Waitany(size - 1, q, &which, &s);
      table[s.MPI_SOURCE] = slot[which];
    }
    printf("%d %d %d\n", table[1], table[2], table[3]);
  } else {
    int v = rank * 7;
    MPI_Send(&v, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
