// Children that end by exit, by exec, or through system and popen, while the parent talks MPI.
// ranks: 2
// variant exit: -DHOW=1 => pass
// variant exec: -DHOW=2 => pass
// variant system: -DHOW=3 => pass
// variant popen: -DHOW=4 => pass
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 1, status = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if HOW <= 2
  pid_t child = fork();
  if (child == 0) {
    if (HOW == 1) exit(0);
    execl("/bin/true", "true", (char *)NULL);
    _exit(9);
  }
  waitpid(child, &status, 0);
#elif HOW == 3
  status = system("exit 0");
#else
  FILE *pipe = popen("echo 5", "r");
  if (pipe == NULL || fscanf(pipe, "%d", &x) != 1 || pclose(pipe) != 0) status = 1;
#endif
  MPI_Sendrecv_replace(&x, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return status == 0 ? 0 : 1;
}
