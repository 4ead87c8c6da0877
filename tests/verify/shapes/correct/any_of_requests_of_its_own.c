// One of the requests of MPI_Waitany is the program's own (a generalized request), which a thread completes after a while.
// ranks: 2
// cflags: -pthread
// timeout: 4
// variant never: -DWRONG => *
// variant right: => pass
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <pthread.h>
#include <time.h>

static int query(void *state, MPI_Status *status) {
  (void)state;
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return MPI_SUCCESS;
}
static int release(void *state) { return state == NULL ? MPI_SUCCESS : MPI_ERR_OTHER; }
static int cancel(void *state, int complete) { return state == NULL || complete ? MPI_SUCCESS : MPI_ERR_OTHER; }

static void *complete(void *request) {
  const struct timespec nap = {0, 300000000};
  nanosleep(&nap, NULL);
#ifndef WRONG
  MPI_Grequest_complete(*(MPI_Request *)request);
#endif
  return NULL;
}

int main(int argc, char **argv) {
  int rank, provided, value = 0, index;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request requests[2], own;
    pthread_t thread;
    MPI_Grequest_start(query, release, cancel, NULL, &requests[0]);
    own = requests[0];
    MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[1]);
    pthread_create(&thread, NULL, complete, &own);
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    MPI_Send(&index, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    pthread_join(thread, NULL);
  } else {
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
