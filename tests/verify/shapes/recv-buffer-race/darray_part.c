// A rank's part of an array that is dealt out in turns (a darray) arrives; what belongs to the other rank may be read meanwhile,
// what is on its way may not.
// variant wrong: -DREAD=0 => recv-buffer-race at 1@read
// variant right: -DREAD=2 => pass
// variant types: -DREAD=2 -DTYPES => type-mismatch
#include <mpi.h>

enum { N = 16 };

int main(int argc, char **argv) {
  int rank, a[N] = {0}, sizes[] = {N}, turns[] = {MPI_DISTRIBUTE_CYCLIC}, width[] = {2}, ranks[] = {2};
  volatile int seen = 0;
  MPI_Datatype part;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TYPES
  MPI_Datatype element = rank == 0 ? MPI_FLOAT : MPI_INT;
#else
  MPI_Datatype element = MPI_INT;
#endif
  MPI_Type_create_darray(2, 0, 1, sizes, turns, width, ranks, MPI_ORDER_C, element, &part);
  MPI_Type_commit(&part);
  if (rank == 0) {
    MPI_Send(a, 1, part, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Irecv(a, 1, part, 0, 0, MPI_COMM_WORLD, &request);
    seen = a[READ];  // @read
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  (void)seen;
  MPI_Type_free(&part);
  MPI_Finalize();
  return 0;
}
