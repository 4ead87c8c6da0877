// Two groups talk over an intercommunicator; the wrong one addresses the local group's numbering.
// ranks: 4
// variant wrong: -DWRONG => deadlock
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int world, color, me;
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  color = world < 2;
  MPI_Comm local, inter;
  MPI_Comm_split(MPI_COMM_WORLD, color, world, &local);
  MPI_Comm_rank(local, &me);
  MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, color ? 2 : 0, 77, &inter);
  int mine = 100 + world, theirs = -1;
#ifdef WRONG
  int source = 1 - me;
#else
  int source = me;
#endif
  if (color) {
    MPI_Send(&mine, 1, MPI_INT, me, 0, inter);
    MPI_Recv(&theirs, 1, MPI_INT, source, 1, inter, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(&theirs, 1, MPI_INT, me, 0, inter, MPI_STATUS_IGNORE);
    MPI_Send(&mine, 1, MPI_INT, me, 1, inter);
    if (source != me) MPI_Recv(&theirs, 1, MPI_INT, source, 2, inter, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&inter);
  MPI_Comm_free(&local);
  MPI_Finalize();
  return 0;
}
