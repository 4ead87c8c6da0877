// A packed message is unpacked, or its memory given back to MPI, before it has arrived.
// ranks: 2
// variant unpack: -DWRONG=1 => recv-buffer-race at 1@irecv
// variant free: -DWRONG=2 => recv-buffer-race at 1@irecv
// variant right: -DWRONG=0 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, count = 3, position = 0, size, got = 0;
  double values[3] = {1, 2, 3};
  char *packed;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Alloc_mem(1000, MPI_INFO_NULL, &packed);
  if (rank == 0) {
    MPI_Pack(&count, 1, MPI_INT, packed, 1000, &position, MPI_COMM_WORLD);
    MPI_Pack(values, count, MPI_DOUBLE, packed, 1000, &position, MPI_COMM_WORLD);
    MPI_Send(packed, position, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Irecv(packed, 1000, MPI_PACKED, 0, 0, MPI_COMM_WORLD, &request);  // @irecv
#if WRONG == 1
    MPI_Unpack(packed, 1000, &position, &got, 1, MPI_INT, MPI_COMM_WORLD);
    position = 0;
#elif WRONG == 2
    char *other = packed;
    MPI_Alloc_mem(1000, MPI_INFO_NULL, &packed);
    MPI_Free_mem(other);
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Unpack(packed, 1000, &position, &got, 1, MPI_INT, MPI_COMM_WORLD);
    if (got == 3) MPI_Unpack(packed, 1000, &position, values, got, MPI_DOUBLE, MPI_COMM_WORLD);
  }
  MPI_Free_mem(packed);
  MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &size);
  MPI_Finalize();
  return size < 4;
}
