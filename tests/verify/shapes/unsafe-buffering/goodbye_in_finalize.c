// MPI_Finalize calls what is tied to MPI_COMM_SELF before MPI is over: there a type is freed, and the ranks say goodbye to each other.
// ranks: 2
// variant wrong: -DWRONG => unsafe-buffering at 0@goodbye 1@goodbye
// variant right: => pass
// quick: wrong right
#include <mpi.h>
#include <stddef.h>

static MPI_Datatype pair;

static int goodbye(MPI_Comm self, int key, void *value, void *extra) {
  int rank, theirs[2];
  (void)self, (void)key, (void)extra;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef WRONG
  MPI_Send(value, 1, pair, 1 - rank, 9, MPI_COMM_WORLD);  // @goodbye
  MPI_Recv(theirs, 1, pair, 1 - rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
  MPI_Sendrecv(value, 1, pair, 1 - rank, 9, theirs, 1, pair, 1 - rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
  return MPI_Type_free(&pair);
}

int main(int argc, char **argv) {
  static int words[2] = {3, 4};
  int key;
  MPI_Init(&argc, &argv);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, goodbye, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, words);
  MPI_Comm_free_keyval(&key);
  MPI_Finalize();
  return 0;
}
