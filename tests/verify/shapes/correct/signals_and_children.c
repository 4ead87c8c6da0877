// A program that handles a signal of its own and starts a child.
// ranks: 2
// variant signal: -DHOW=1 => pass
// variant child: -DHOW=2 => pass
#include <mpi.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t seen = 0;
static void handler(int number) { seen = number; }

int main(int argc, char **argv) {
  int rank, x = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if HOW == 1
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
  x = seen == SIGUSR1;
#else
  pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
  (void)handler;
  x = 1;
#endif
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return x == 1 ? 0 : 1;
}
