// A rank that ignores every polite signal and spins.
// ranks: 2
// timeout: 8
// variant wrong: -DWRONG => resource-limit
// variant right: => pass
#include <mpi.h>
#include <signal.h>

int main(int argc, char **argv) {
  volatile unsigned n = 1;
  MPI_Init(&argc, &argv);
  signal(SIGTERM, SIG_IGN);
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
#ifdef WRONG
  while (n) n |= 1;
#else
  while (n < 1000) n++;
#endif
  MPI_Finalize();
  return 0;
}
