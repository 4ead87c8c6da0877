// Two ranks wait for each other's greeting before they say theirs.
// sizes: tiny -DN=1, large -DN=32768
// variant wrong: -DWRONG => deadlock at 0@recv 1@recv
// variant right: => pass
// quick: wrong/tiny
#include <mpi.h>
#include <stdio.h>

static double in[N], out[N];

static void say(int to) { MPI_Send(out, N, MPI_DOUBLE, to, 3, MPI_COMM_WORLD); }
static void hear(int from) {
  MPI_Recv(in, N, MPI_DOUBLE, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
}

int main(int argc, char *argv[]) {
  int me;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  out[0] = me + 1.0;
#ifdef WRONG
  hear(1 - me);
  say(1 - me);
#else
  if (me == 0) {
    say(1);
    hear(1);
  } else {
    hear(0);
    say(0);
  }
#endif
  printf("rank %d heard %g\n", me, in[0]);
  MPI_Finalize();
  return 0;
}
