// Communicators from groups, split by node, duplicated without blocking, named; all of them freed.
// ranks: 3 4
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, first[2] = {0, 1};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Group all, two;
  MPI_Comm pair, node, later;
  MPI_Request request;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 2, first, &two);
  MPI_Comm_create(MPI_COMM_WORLD, two, &pair);
  if (pair != MPI_COMM_NULL) {
    int me, x = rank, y = -1;
    MPI_Comm_set_name(pair, "the first two");
    MPI_Comm_rank(pair, &me);
    MPI_Sendrecv(&x, 1, MPI_INT, 1 - me, 0, &y, 1, MPI_INT, 1 - me, 0, pair, MPI_STATUS_IGNORE);
    MPI_Comm_free(&pair);
  }
  if (rank < 2) {
    MPI_Comm_create_group(MPI_COMM_WORLD, two, 9, &pair);
    MPI_Barrier(pair);
    MPI_Comm_free(&pair);
  }
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Barrier(node);
  MPI_Comm_free(&node);
  MPI_Comm_idup(MPI_COMM_WORLD, &later, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(later);
  MPI_Comm_free(&later);
  MPI_Group_free(&two);
  MPI_Group_free(&all);
  MPI_Finalize();
  return 0;
}
