// A message is seen by a probe, or matched by Mprobe, and never received.
// ranks: 2
// timeout: 10
// variant probe: -DHOW=1 => unmatched-message
// variant mprobe: -DHOW=2 => unmatched-message|request-leak|resource-leak
// variant right: -DHOW=0 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, x = 8;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
#if HOW == 2
    MPI_Message message;
    MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
#else
    MPI_Probe(0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
#if HOW == 0
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  }
  MPI_Finalize();
  return 0;
}
