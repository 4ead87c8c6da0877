// Tags are not negative and not above the upper bound; counts are not negative; a buffer is there if something is sent.
// ranks: 2
// variant tag: -DTAG=-5 => invalid-argument
// variant tag-too-large: -DTAG=2147483647 => invalid-argument
// variant count: -DCOUNT=-1 => invalid-argument
// variant null: -DBUFFER=NULL => invalid-argument
// variant any-tag-send: -DTAG=MPI_ANY_TAG => invalid-argument
// variant right: => pass
// variant null-of-nothing: -DBUFFER=NULL -DCOUNT=0 => pass
// variant largest-tag: -DLARGEST => pass
// quick: tag null-of-nothing
#include <mpi.h>
#include <stddef.h>

#ifndef TAG
#define TAG 1
#endif
#ifndef COUNT
#define COUNT 4
#endif
#ifndef BUFFER
#define BUFFER data
#endif

int main(int argc, char **argv) {
  static int data[4];
  int rank, tag = TAG;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef LARGEST
  int *bound, found;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found);
  tag = *bound;
#endif
  if (rank == 0)
    MPI_Send(BUFFER, COUNT, MPI_INT, 1, tag, MPI_COMM_WORLD);  // @send
  else
    MPI_Recv(data, 4, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
