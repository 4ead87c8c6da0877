// A double is received as two ints, an int array as doubles: sizes agree, signatures do not.
// ranks: 2
// variant double-ints: -DS=MPI_DOUBLE -DSN=8 -DR=MPI_INT -DRN=16 => type-mismatch
// variant longs-doubles: -DS=MPI_LONG -DSN=8 -DR=MPI_DOUBLE -DRN=8 => type-mismatch
// variant unsigned: -DS=MPI_UNSIGNED -DSN=8 -DR=MPI_INT -DRN=8 => type-mismatch
// variant bytes: -DS=MPI_INT -DSN=8 -DR=MPI_BYTE -DRN=32 => type-mismatch
// variant char-short: -DS=MPI_CHAR -DSN=16 -DR=MPI_SHORT -DRN=8 => type-mismatch
// variant pair: -DS=MPI_2INT -DSN=4 -DR=MPI_INT -DRN=8 => pass
// variant same: -DS=MPI_LONG -DSN=8 -DR=MPI_LONG -DRN=8 => pass
// variant bytes-both: -DS=MPI_BYTE -DSN=64 -DR=MPI_BYTE -DRN=64 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  static long long storage[64];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(storage, SN, S, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Request request;
    MPI_Irecv(storage, RN, R, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
