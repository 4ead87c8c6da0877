// A program that asks for error codes instead of an abort, and gets none.
// ranks: 2
// variant right: => pass
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                           \
  do {                                                        \
    int code = (call);                                        \
    if (code != MPI_SUCCESS) {                                \
      char text[MPI_MAX_ERROR_STRING];                        \
      int length;                                             \
      MPI_Error_string(code, text, &length);                  \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, text); \
      MPI_Abort(MPI_COMM_WORLD, code);                        \
    }                                                         \
  } while (0)

int main(int argc, char **argv) {
  CHECK(MPI_Init(&argc, &argv));
  CHECK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  int rank, value = 9;
  CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  MPI_Status status[2];
  MPI_Request requests[2];
  CHECK(MPI_Isend(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]));
  CHECK(MPI_Irecv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]));
  CHECK(MPI_Waitall(2, requests, status));
  CHECK(MPI_Finalize());
  return value == 1 - rank ? EXIT_SUCCESS : EXIT_FAILURE;
}
