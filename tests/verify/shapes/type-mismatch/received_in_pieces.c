// A struct sent as a whole is received as its parts, in order; or with the parts swapped.
// ranks: 2
// variant bytes-of-struct: -DHOW=1 => pass
// variant swapped: -DHOW=2 => type-mismatch
// variant type: -DHOW=3 => pass
#include <mpi.h>
#include <stddef.h>

typedef struct {
  int n;
  float x[3];
} Record;

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  Record record = {1, {0.5f, 1.5f, 2.5f}};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if HOW == 1
  MPI_Datatype sent = MPI_BYTE, taken = MPI_BYTE;
  int count = sizeof record;
#else
  MPI_Datatype sent, taken, order[2] = {MPI_INT, MPI_FLOAT}, other[2] = {MPI_FLOAT, MPI_INT};
  int lengths[2] = {1, 3}, turned[2] = {3, 1}, count = 1;
  MPI_Aint at[2] = {offsetof(Record, n), offsetof(Record, x)}, there[2] = {offsetof(Record, x), offsetof(Record, n)};
  MPI_Type_create_struct(2, lengths, at, order, &sent);
  MPI_Type_commit(&sent);
  if (HOW == 2)
    MPI_Type_create_struct(2, turned, there, other, &taken);
  else
    MPI_Type_create_struct(2, lengths, at, order, &taken);
  MPI_Type_commit(&taken);
#endif
  if (rank == 0) MPI_Send(&record, count, sent, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(&record, count, taken, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#if HOW != 1
  MPI_Type_free(&sent);
  MPI_Type_free(&taken);
#endif
  MPI_Finalize();
  return 0;
}
