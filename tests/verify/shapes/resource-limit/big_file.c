// A rank writes far into a file: more than a run may write, though it takes no time.
// ranks: 2
// variant wrong: -DAT=5368709120LL => resource-limit
// variant right: -DAT=1048576LL => pass
// cflags: -D_FILE_OFFSET_BITS=64
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    FILE *file = tmpfile();
    if (file != NULL) {
      fseeko(file, AT, SEEK_SET);
      fputc('x', file);
      fclose(file);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
