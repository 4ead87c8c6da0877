// Point-to-point and a broadcast across an intercommunicator, and its merge.
// ranks: 3 4
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int world, size, remote, me, value;
  MPI_Comm half, bridge, merged;
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int upper = world >= size / 2;
  MPI_Comm_split(MPI_COMM_WORLD, upper, 0, &half);
  MPI_Comm_rank(half, &me);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 3, &bridge);
  MPI_Comm_remote_size(bridge, &remote);
  value = world;
  if (me == 0) {
    if (upper) {
      for (int r = 0; r < remote; r++) MPI_Send(&value, 1, MPI_INT, r, 0, bridge);
    }
  }
  if (!upper) MPI_Recv(&value, 1, MPI_INT, 0, 0, bridge, MPI_STATUS_IGNORE);
  if (upper)
    MPI_Bcast(&value, 1, MPI_INT, me == 0 ? MPI_ROOT : MPI_PROC_NULL, bridge);
  else
    MPI_Bcast(&value, 1, MPI_INT, 0, bridge);
  MPI_Intercomm_merge(bridge, upper, &merged);
  MPI_Barrier(merged);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&bridge);
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
