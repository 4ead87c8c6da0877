// The result of a non-blocking reduction is read, or its input changed, before it is complete.
// ranks: 2 3
// variant result: -DWRONG=1 => recv-buffer-race
// variant input: -DWRONG=2 => send-buffer-race
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  double input[100] = {1}, result[100] = {0}, check = 0;
  MPI_Request request;
  MPI_Iallreduce(input, result, 100, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
#if WRONG == 1
  check = result[0];
#elif WRONG == 2
  input[5] = 3;
#endif
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  check += result[0];
  MPI_Finalize();
  return check < 0;
}
