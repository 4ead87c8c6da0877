// Bytes that are no text, a line of half a megabyte, and both streams at once.
// ranks: 2
// variant right: => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 256; i++) putchar(i);
  for (int i = 0; i < 1 << 19; i++) putchar('x');
  fprintf(stderr, "\n\xff\xfe and no newline at the end");
  fflush(NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
