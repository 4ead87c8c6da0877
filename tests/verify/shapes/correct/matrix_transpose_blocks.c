// Blocks of a distributed matrix change places: one send and one receive per pair, tags by position.
// ranks: 2 3 4
// variant right: => pass
#include <mpi.h>
#include <stdlib.h>

enum { B = 12 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int me, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *rows = malloc(sizeof(double) * B * B * size), *columns = malloc(sizeof(double) * B * B * size);
  MPI_Request *r = malloc(sizeof(MPI_Request) * 2 * size);
  for (int i = 0; i < B * B * size; i++) rows[i] = me + i;
  for (int p = 0; p < size; p++) {
    MPI_Irecv(columns + p * B * B, B * B, MPI_DOUBLE, p, p * size + me, MPI_COMM_WORLD, r + p);
    MPI_Isend(rows + p * B * B, B * B, MPI_DOUBLE, p, me * size + p, MPI_COMM_WORLD, r + size + p);
  }
  MPI_Waitall(2 * size, r, MPI_STATUSES_IGNORE);
  free(r);
  free(rows);
  free(columns);
  MPI_Finalize();
  return 0;
}
