// The first byte of what is still arriving decides what to do.
// ranks: 2
// variant wrong: -DWRONG => recv-buffer-race
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, result = 0;
  struct {
    char command;
    int operand;
  } order = {'n', 0};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    order.command = '+';
    order.operand = 4;
    MPI_Send(&order, sizeof order, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request r;
    MPI_Irecv(&order, sizeof order, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &r);
#ifdef WRONG
    if (order.command == '+') result++;
#endif
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (order.command == '+') result += order.operand;
  }
  MPI_Finalize();
  return result < 0;
}
