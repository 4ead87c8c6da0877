// A server answers whoever asks, by the status; it stops when all clients have said so.
// ranks: 3 4
// variant right: => pass
#include <mpi.h>

enum Tag { ask = 1, answer = 2, bye = 3 };

static void serve(int clients) {
  while (clients > 0) {
    int question;
    MPI_Status status;
    MPI_Recv(&question, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == bye) {
      --clients;
      continue;
    }
    question *= 2;
    MPI_Send(&question, 1, MPI_INT, status.MPI_SOURCE, answer, MPI_COMM_WORLD);
  }
}

static void ask_around(int rank) {
  for (int i = 0; i < 3; ++i) {
    int value = 10 * rank + i, reply = 0;
    MPI_Send(&value, 1, MPI_INT, 0, ask, MPI_COMM_WORLD);
    MPI_Recv(&reply, 1, MPI_INT, 0, answer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (reply != 2 * value) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  int nothing = 0;
  MPI_Send(&nothing, 1, MPI_INT, 0, bye, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    serve(size - 1);
  else
    ask_around(rank);
  MPI_Finalize();
}
