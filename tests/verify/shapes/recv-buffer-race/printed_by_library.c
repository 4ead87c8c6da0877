// The buffer is read by the C library on the program's behalf: puts, strlen, memcpy.
// ranks: 2
// variant strlen: -DUSE=1 => recv-buffer-race at 1@irecv
// variant memcpy: -DUSE=2 => recv-buffer-race at 1@irecv
// variant printf: -DUSE=3 => recv-buffer-race at 1@irecv
// variant qsort: -DUSE=4 => recv-buffer-race at 1@irecv
// variant right: -DUSE=0 => pass
// quick: memcpy
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int order(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

int main(int argc, char **argv) {
  char text[128] = "nothing yet", copy[128] = "";
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    strcpy(text, "hello from zero");
    MPI_Send(text, 128, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    size_t length = 0;
    MPI_Irecv(text, 128, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request);  // @irecv
#if USE == 1
    length = strlen(text);
#elif USE == 2
    memcpy(copy, text, sizeof copy);
#elif USE == 3
    printf("%s\n", text);
#elif USE == 4
    qsort(text, 8, 1, order);
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("%s %s %zu\n", text, copy, length + strlen(text));
  }
  if (order(text, text) != 0) return 1;
  MPI_Finalize();
  return 0;
}
