// Two pipeline stages in their steady state: one forward, one backward, with unfused sends and receives.
// ranks: 2
// sizes: tiny -DN=1, small -DN=1024, large -DN=50000
// variant wrong tiny small: -DWRONG => unsafe-buffering
// variant wrong large: -DWRONG => deadlock at 0@forward 1@backward
// variant fused: => pass
// quick: wrong/small
#include <mpi.h>

enum { MICROBATCHES = 4, FORWARD = 1, BACKWARD = 2 };
static float activation[N], gradient[N];

static void first_stage(void) {
  MPI_Send(activation, N, MPI_FLOAT, 1, FORWARD, MPI_COMM_WORLD);
  for (int i = 1; i < MICROBATCHES; i++) {
#ifdef WRONG
    MPI_Send(activation, N, MPI_FLOAT, 1, FORWARD, MPI_COMM_WORLD);  // @forward
    MPI_Recv(gradient, N, MPI_FLOAT, 1, BACKWARD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
    MPI_Sendrecv(activation, N, MPI_FLOAT, 1, FORWARD, gradient, N, MPI_FLOAT, 1, BACKWARD, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
#endif
  }
  MPI_Recv(gradient, N, MPI_FLOAT, 1, BACKWARD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void last_stage(void) {
  MPI_Recv(activation, N, MPI_FLOAT, 0, FORWARD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 1; i < MICROBATCHES; i++) {
    MPI_Send(gradient, N, MPI_FLOAT, 0, BACKWARD, MPI_COMM_WORLD);  // @backward
    MPI_Recv(activation, N, MPI_FLOAT, 0, FORWARD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Send(gradient, N, MPI_FLOAT, 0, BACKWARD, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int stage;
  MPI_Comm_rank(MPI_COMM_WORLD, &stage);
  if (stage == 0)
    first_stage();
  else
    last_stage();
  MPI_Finalize();
  return 0;
}
