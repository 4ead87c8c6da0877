// Creating, splitting or freeing communicators and windows is collective; one rank stays away.
// ranks: 2 3
// timeout: 10
// variant split: -DHOW=1 => deadlock|collective-mismatch
// variant window: -DHOW=2 => deadlock|collective-mismatch
// variant cart: -DHOW=3 => deadlock|collective-mismatch
// variant right: -DHOW=0 => pass
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, x = 0, no = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Win window = MPI_WIN_NULL;
  if (HOW == 0 || rank != size - 1) {
#if HOW == 2
    MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
#elif HOW == 3
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &no, 0, &made);
#else
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &made);
#endif
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (HOW != 0 && rank == 0) MPI_Send(&x, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD);
  if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
  if (window != MPI_WIN_NULL) MPI_Win_free(&window);
  (void)no;
  MPI_Finalize();
  return 0;
}
