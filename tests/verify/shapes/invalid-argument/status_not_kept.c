// Questions about a message need the status that its receive has filled in.
// ranks: 2
// variant count-ignored: -DWRONG=MPI_STATUS_IGNORE -DASK=1 => invalid-argument at 1@ask
// variant count-null: -DWRONG=((MPI_Status*)0) -DASK=1 => invalid-argument at 1@ask
// variant elements-ignored: -DWRONG=MPI_STATUS_IGNORE -DASK=2 => invalid-argument at 1@ask
// variant elements-x-null: -DWRONG=((MPI_Status*)0) -DASK=3 => invalid-argument at 1@ask
// variant cancelled-ignored: -DWRONG=MPI_STATUS_IGNORE -DASK=4 => invalid-argument at 1@ask
// variant right-count: -DASK=1 => pass
// variant right-elements: -DASK=2 => pass
// variant right-elements-x: -DASK=3 => pass
// variant right-cancelled: -DASK=4 => pass
// quick: count-ignored right-count
#include <mpi.h>

#if ASK == 1
#define QUESTION(status) MPI_Get_count(status, MPI_INT, &answer)
#elif ASK == 2
#define QUESTION(status) MPI_Get_elements(status, MPI_INT, &answer)
#elif ASK == 3
#define QUESTION(status) MPI_Get_elements_x(status, MPI_INT, &answer)
#else
#define QUESTION(status) MPI_Test_cancelled(status, &answer)
#endif

int main(int argc, char **argv) {
  int rank, data[4] = {0};
#if ASK == 3
  MPI_Count answer = 0;
#else
  int answer = 0;
#endif
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(data, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Status status;
    MPI_Recv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
#ifdef WRONG
    QUESTION(WRONG);  // @ask
#else
    QUESTION(&status);
    if (answer != (ASK == 4 ? 0 : 3)) MPI_Abort(MPI_COMM_WORLD, 1);
#endif
  }
  MPI_Finalize();
  return 0;
}
