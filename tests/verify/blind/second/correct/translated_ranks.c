// A message on a smaller communicator, addressed by a translated rank; the wrong one uses the world's.
// ranks: 4
// variant right: => pass
// variant wrong: -DWRONG => invalid-argument|deadlock
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int world, x = 1;
  MPI_Comm upper;
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  MPI_Comm_split(MPI_COMM_WORLD, world >= 2 ? 1 : MPI_UNDEFINED, world, &upper);
  if (upper != MPI_COMM_NULL) {
    MPI_Group all, some;
    int names[2] = {2, 3}, here[2];
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Comm_group(upper, &some);
    MPI_Group_translate_ranks(all, 2, names, some, here);
#ifdef WRONG
    here[0] = names[0];
    here[1] = names[1];
#endif
    if (world == 2) MPI_Send(&x, 1, MPI_INT, here[1], 0, upper);
    if (world == 3) MPI_Recv(&x, 1, MPI_INT, here[0], 0, upper, MPI_STATUS_IGNORE);
    MPI_Group_free(&all);
    MPI_Group_free(&some);
    MPI_Comm_free(&upper);
  }
  MPI_Finalize();
  return 0;
}
