// The bytes right before and right after an active buffer belong to the program.
// ranks: 2
// variant right: => pass
#include <mpi.h>

typedef struct {
  char before;
  char message[13];
  char after;
} Frame;

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, i;
  Frame frame = {0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request;
  if (rank == 0)
    MPI_Isend(frame.message, 13, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
  else
    MPI_Irecv(frame.message, 13, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request);
  for (i = 0; i < 100; i++) {
    frame.before++;
    frame.after += frame.before;
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  frame.message[0]++;
  MPI_Finalize();
  return 0;
}
