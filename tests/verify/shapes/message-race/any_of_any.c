// Receives of any source are completed by Waitany or Testany, and whose message is in which is taken for granted.
// ranks: 3 4
// variant waitany: -DHOW=1 => message-race
// variant testany: -DHOW=2 => message-race
// variant waitsome: -DHOW=3 => message-race
// variant right: -DHOW=0 => pass
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, size, got[3] = {0}, index, flag, some[3], sum = 0;
  MPI_Request requests[3];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank > 0) {
    usleep(30000u * (unsigned)rank);
    MPI_Send(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
  } else {
    for (int i = 0; i < size - 1; ++i) MPI_Irecv(&got[i], 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[i]);
    for (int done = 0; done < size - 1;) {
      int taken = 1;
      if (HOW == 2) {
        do {
          MPI_Testany(size - 1, requests, &index, &flag, MPI_STATUS_IGNORE);
          usleep(100);
        } while (!flag);
      } else if (HOW == 3) {
        MPI_Waitsome(size - 1, requests, &taken, some, MPI_STATUSES_IGNORE);
      } else {
        MPI_Waitany(size - 1, requests, &index, MPI_STATUS_IGNORE);
      }
      for (int k = 0; k < taken; ++k) {
        int which = HOW == 3 ? some[k] : index;
        sum += got[which];
        if (HOW > 0 && got[which] != which + 1) MPI_Abort(MPI_COMM_WORLD, 4);
      }
      done += taken;
    }
    if (sum != size * (size - 1) / 2) MPI_Abort(MPI_COMM_WORLD, 5);
  }
  MPI_Finalize();
  return 0;
}
