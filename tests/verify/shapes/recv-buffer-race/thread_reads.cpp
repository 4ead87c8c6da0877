// A second thread reads what the first is still receiving.
// ranks: 2
// cflags: -pthread
// variant wrong: -DWRONG => recv-buffer-race at 1@irecv
// variant right: => pass
#include <mpi.h>
#include <pthread.h>

#include <cstdio>

static long inbox[256];
static long sum_of_inbox = 0;

static void* add_up(void*) {
  for (long x : inbox) sum_of_inbox += x;
  return nullptr;
}

int main(int argc, char** argv) {
  int provided, rank;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(inbox, 256, MPI_LONG, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    pthread_t reader;
    MPI_Irecv(inbox, 256, MPI_LONG, 0, 0, MPI_COMM_WORLD, &request);  // @irecv
#ifdef WRONG
    pthread_create(&reader, nullptr, add_up, nullptr);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#else
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    pthread_create(&reader, nullptr, add_up, nullptr);
#endif
    pthread_join(reader, nullptr);
    std::printf("%ld\n", sum_of_inbox);
  }
  MPI_Finalize();
}
