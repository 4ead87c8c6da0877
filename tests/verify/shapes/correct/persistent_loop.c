// Persistent channels over many steps, with Startall and the buffers used between.
// ranks: 2 3
// sizes: tiny -DN=1, large -DN=5000
// variant right: => pass
#include <mpi.h>

static double out[N], in[N];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Request channel[2];
  MPI_Send_init(out, N, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &channel[0]);
  MPI_Recv_init(in, N, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &channel[1]);
  for (int step = 0; step < 20; step++) {
    for (int i = 0; i < N; i++) out[i] = in[i] + step;
    MPI_Startall(2, channel);
    if (step % 2) {
      MPI_Waitall(2, channel, MPI_STATUSES_IGNORE);
    } else {
      int all = 0;
      while (!all) MPI_Testall(2, channel, &all, MPI_STATUSES_IGNORE);
    }
  }
  for (int i = 0; i < 2; i++) MPI_Request_free(&channel[i]);
  MPI_Finalize();
  return 0;
}
