// A part that leaves its array, and packing into a buffer that is too small: MPICH says nothing to either.
// ranks: 2
// variant subarray: -DHOW=1 => invalid-argument
// variant pack: -DHOW=2 => invalid-argument
// variant right: -DHOW=0 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int sizes[2] = {4, 4}, parts[2] = {2, 2}, starts[2] = {HOW == 1 ? 3 : 2, 2}, values[4] = {1, 2, 3, 4}, position = 0;
  char packed[64];
  MPI_Datatype part;
  MPI_Init(&argc, &argv);
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &part);
  MPI_Type_commit(&part);
  MPI_Pack(values, 4, MPI_INT, packed, HOW == 2 ? 8 : (int)sizeof packed, &position, MPI_COMM_WORLD);
  MPI_Type_free(&part);
  MPI_Finalize();
  return 0;
}
