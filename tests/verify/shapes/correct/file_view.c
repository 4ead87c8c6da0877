// A file seen through a subarray: MPI's own library makes types for it that are no leak of the program's.
// ranks: 2
// variant plain: => pass
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, pid, sizes[2] = {8, 8}, parts[2] = {8, 4}, starts[2] = {0, 0}, block[32];
  char name[64];
  MPI_File file;
  MPI_Datatype half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pid = (int)(MPI_Wtime() * 1e6) & 0xffffff;
  MPI_Bcast(&pid, 1, MPI_INT, 0, MPI_COMM_WORLD);
  snprintf(name, sizeof name, "/tmp/p2plab-view-%d", pid);
  for (int i = 0; i < 32; ++i) block[i] = rank;
  starts[1] = rank * 4;
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &half);
  MPI_Type_commit(&half);
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_File_set_view(file, 0, MPI_INT, half, "native", MPI_INFO_NULL);
  MPI_File_write_all(file, block, 32, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  MPI_Type_free(&half);
  MPI_Finalize();
  return 0;
}
