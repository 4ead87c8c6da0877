// What is still arriving is parsed, searched, printed or written out by the C library.
// ranks: 2
// variant atoi: -DUSE=1 => recv-buffer-race at 1@irecv
// variant sscanf: -DUSE=2 => recv-buffer-race at 1@irecv
// variant strtod: -DUSE=3 => recv-buffer-race at 1@irecv
// variant puts: -DUSE=4 => recv-buffer-race at 1@irecv
// variant write: -DUSE=5 => recv-buffer-race at 1@irecv
// variant fputs: -DUSE=6 => recv-buffer-race at 1@irecv
// variant strcmp: -DUSE=7 => recv-buffer-race at 1@irecv
// variant strchr: -DUSE=8 => recv-buffer-race at 1@irecv
// variant snprintf: -DUSE=9 => recv-buffer-race at 1@irecv
// variant strdup: -DUSE=10 => recv-buffer-race at 1@irecv
// variant fgets: -DUSE=11 => recv-buffer-race at 1@irecv
// variant getcwd: -DUSE=12 => recv-buffer-race at 1@irecv
// variant right: -DUSE=0 => pass
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  static char text[64] = "12.5 and more", other[64] = "other";
  int rank, n = 0;
  double x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(text, 64, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Irecv(text, 64, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request);  // @irecv
#if USE == 1
    n = atoi(text);
#elif USE == 2
    n = sscanf(text, "%lf", &x);
#elif USE == 3
    x = strtod(text, NULL);
#elif USE == 4
    puts(text);
#elif USE == 5
    n = (int)write(1, text, 5);
#elif USE == 6
    fputs(text, stderr);
#elif USE == 7
    n = strcmp(text, other);
#elif USE == 8
    n = strchr(text, 'm') != NULL;
#elif USE == 9
    n = snprintf(other, sizeof other, "<%s>", text);
#elif USE == 10
    char *copy = strdup(text);
    free(copy);
#elif USE == 11
    FILE *zero = fopen("/proc/self/comm", "r");
    if (zero != NULL && fgets(text, 32, zero) != NULL) n = 1;
    if (zero != NULL) fclose(zero);
#elif USE == 12
    n = getcwd(text, 64) != NULL;
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    printf("%d %g %s %s\n", n, x, text, other);
  }
  MPI_Finalize();
  return 0;
}
