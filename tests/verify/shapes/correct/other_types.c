// Types of all sizes and kinds, and a derived type of derived types.
// ranks: 2
// variant right: => pass
#include <complex.h>
#include <mpi.h>
#include <stdint.h>
#include <wchar.h>

#define SWAP(value, type)                                                                                          \
  do {                                                                                                             \
    if (rank == 0) MPI_Send(&value, 1, type, 1, 0, MPI_COMM_WORLD);                                                \
    if (rank == 1) MPI_Recv(&value, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                             \
  } while (0)

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  long double ld = 1;
  double complex z = 1;
  wchar_t w = L'x';
  int64_t i64 = 1;
  uint8_t u8 = 1;
  _Bool b = 1;
  MPI_Aint at = 1;
  struct {
    double d;
    int i;
  } pair = {1, 1};
  SWAP(ld, MPI_LONG_DOUBLE);
  SWAP(z, MPI_C_DOUBLE_COMPLEX);
  SWAP(w, MPI_WCHAR);
  SWAP(i64, MPI_INT64_T);
  SWAP(u8, MPI_UINT8_T);
  SWAP(b, MPI_C_BOOL);
  SWAP(at, MPI_AINT);
  SWAP(pair, MPI_DOUBLE_INT);
  MPI_Datatype row, plane;
  int cube[3][4][5] = {{{0}}};
  MPI_Type_vector(4, 2, 5, MPI_INT, &row);
  MPI_Type_create_hvector(3, 1, sizeof cube[0], row, &plane);
  MPI_Type_commit(&plane);
  MPI_Type_free(&row);
  SWAP(cube, plane);
  MPI_Type_free(&plane);
  MPI_Finalize();
  return 0;
}
