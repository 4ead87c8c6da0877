// The C library fills the buffer: fread, sprintf, strcpy.
// ranks: 2
// variant fread: -DUSE=1 => send-buffer-race at 0@isend
// variant sprintf: -DUSE=2 => send-buffer-race at 0@isend
// variant strcpy: -DUSE=3 => send-buffer-race at 0@isend
// variant fwrite: -DUSE=4 => pass
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  static char text[200] = "abc";
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    FILE *zero = fopen(USE == 4 ? "/dev/null" : "/dev/zero", USE == 4 ? "w" : "r");
    if (zero == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Isend(text, 200, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);  // @isend
#if USE == 1
    if (fread(text, 1, 100, zero) != 100) MPI_Abort(MPI_COMM_WORLD, 1);
#elif USE == 2
    sprintf(text, "number %d", rank);
#elif USE == 3
    strcpy(text, "another text");
#else
    if (fwrite(text, 1, 100, zero) != 100) MPI_Abort(MPI_COMM_WORLD, 1);
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    fclose(zero);
  } else {
    MPI_Recv(text, 200, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
