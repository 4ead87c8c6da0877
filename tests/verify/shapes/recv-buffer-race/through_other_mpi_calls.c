// The buffer of a pending receive is handed to other MPI calls: a broadcast, reductions, packing.
// ranks: 2
// variant bcast: -DHOW=1 => recv-buffer-race
// variant allreduce: -DHOW=2 => recv-buffer-race
// variant pack: -DHOW=3 => recv-buffer-race
// variant local: -DHOW=4 => recv-buffer-race
// variant large: -DHOW=5 => recv-buffer-race
// variant external: -DHOW=6 => recv-buffer-race
// variant right: -DHOW=0 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, data[32] = {0}, spare[32] = {0}, sum[32];
  char room[256];
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if HOW == 0
  int *used = spare;
#else
  int *used = rank == 1 ? data : spare;
#endif
  if (rank == 1) MPI_Irecv(data, 32, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
#if HOW == 1 || HOW == 0
  MPI_Bcast(used, 32, MPI_INT, 0, MPI_COMM_WORLD);
#elif HOW == 2
  MPI_Allreduce(used, sum, 32, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#elif HOW == 4
  for (int i = 0; i < 32; i++) sum[i] = 0;
  MPI_Reduce_local(used, sum, 32, MPI_INT, MPI_SUM);
#elif HOW == 5
  for (int i = 0; i < 32; i++) sum[i] = 0;
  MPI_Reduce_local_c(used, sum, 32, MPI_INT, MPI_SUM);
#elif HOW == 6
  MPI_Count at = 0;
  MPI_Pack_external_c("external32", used, 32, MPI_INT, room, 256, &at);
#else
  int at = 0;
  MPI_Pack(used, 32, MPI_INT, room, 256, &at, MPI_COMM_WORLD);
#endif
  (void)sum, (void)room;
  if (rank == 0) MPI_Send(spare, 32, MPI_INT, 1, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
