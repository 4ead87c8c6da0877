// One thread is blocked in a receive while another writes into the same buffer.
// ranks: 2
// cflags: -pthread
// variant wrong: -DWRONG => recv-buffer-race at 1@recv
// variant right: => pass
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static int table[64];

static void *count(void *counts) {
  for (int i = 0; i < 64; i++) ((int *)counts)[i]++;
  return 0;
}

int main(int argc, char **argv) {
  int rank, level, own[64] = {0};
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    usleep(30000);
    MPI_Send(table, 64, MPI_INT, 1, 0, MPI_COMM_WORLD);
  } else {
    pthread_t counter;
#ifdef WRONG
    pthread_create(&counter, 0, count, table);
#else
    pthread_create(&counter, 0, count, own);
#endif
    MPI_Recv(table, 64, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
    pthread_join(counter, 0);
  }
  MPI_Finalize();
  return 0 * own[0];
}
