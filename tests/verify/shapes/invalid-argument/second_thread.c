// Only the thread that initialized MPI may call it, unless more was asked for and granted.
// ranks: 2
// cflags: -pthread
// variant funneled: -DLEVEL=MPI_THREAD_FUNNELED => invalid-argument at 1@call
// variant single: -DLEVEL=MPI_THREAD_SINGLE => invalid-argument at 1@call
// variant right: -DLEVEL=MPI_THREAD_SERIALIZED => pass
// variant right-main: -DLEVEL=MPI_THREAD_FUNNELED -DMAIN => pass
// quick: funneled right-main
#include <mpi.h>
#include <pthread.h>

static int value;

static void *receive(void *unused) {
  MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @call
  return unused;
}

int main(int argc, char **argv) {
  int rank, provided;
  MPI_Init_thread(&argc, &argv, LEVEL, &provided);
  if (provided < LEVEL) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
#ifdef MAIN
    receive(NULL);
#else
    pthread_t thread;
    pthread_create(&thread, NULL, receive, NULL);
    pthread_join(thread, NULL);
#endif
  }
  MPI_Finalize();
  return 0;
}
