// A look at any source, again and again until a message is there; the first one is believed to be rank 1's.
// ranks: 3
// sizes: look -DLOOK, matched -DMATCHED
// variant wrong look: -DWRONG => message-race at 0@look
// variant wrong matched: -DWRONG => message-race at 0@take
// variant named: => pass
// variant told: -DTOLD => pass
// quick: wrong/look/3 told/matched/3
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, values[3] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 2) usleep(40000);
  if (rank > 0) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < 2; i++) {
    int there = 0, value;
    MPI_Status status;
#if defined(WRONG) || defined(TOLD)
    int from = MPI_ANY_SOURCE;
#else
    int from = i + 1;
#endif
#ifdef MATCHED
    MPI_Message message;
    while (!there) MPI_Improbe(from, 0, MPI_COMM_WORLD, &there, &message, &status);  // @take
    MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
#else
    while (!there) MPI_Iprobe(from, 0, MPI_COMM_WORLD, &there, &status);  // @look
    MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
#ifdef TOLD
    values[status.MPI_SOURCE] = value;
#else
    values[i + 1] = value;
#endif
  }
  if (rank == 0 && values[1] != 1) MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Finalize();
  return 0;
}
