// The buffer lives in mapped memory, in new[], in a thread's own storage, or in a local of a function higher up.
// ranks: 2
// variant mmap: -DWHERE=1 -DWRONG => recv-buffer-race
// variant new: -DWHERE=2 -DWRONG => recv-buffer-race
// variant thread-local: -DWHERE=3 -DWRONG => recv-buffer-race
// variant local: -DWHERE=4 -DWRONG => recv-buffer-race
// variant static: -DWHERE=5 -DWRONG => recv-buffer-race
// variant mmap-right: -DWHERE=1 => pass
// variant new-right: -DWHERE=2 => pass
// variant thread-local-right: -DWHERE=3 => pass
// variant local-right: -DWHERE=4 => pass
#include <mpi.h>
#include <sys/mman.h>

#include <cstddef>

constexpr int kCount = 2048;
static thread_local int own[kCount];

static int use(int* buffer, int rank) {
  int sum = 0;
  if (rank == 0) {
    for (int i = 0; i < kCount; ++i) buffer[i] = 1;
    MPI_Send(buffer, kCount, MPI_INT, 1, 0, MPI_COMM_WORLD);
    return 0;
  }
  MPI_Request request;
  MPI_Irecv(buffer, kCount, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
#ifdef WRONG
  sum += buffer[kCount - 1];
#endif
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return sum + buffer[0];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#if WHERE == 1
  void* memory = mmap(nullptr, kCount * sizeof(int), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  sum = use(static_cast<int*>(memory), rank);
  munmap(memory, kCount * sizeof(int));
#elif WHERE == 2
  int* memory = new int[kCount]();
  sum = use(memory, rank);
  delete[] memory;
#elif WHERE == 3
  sum = use(own, rank);
#elif WHERE == 4
  int memory[kCount] = {};
  sum = use(memory, rank);
#else
  static int memory[kCount];
  sum = use(memory, rank);
#endif
  (void)own;
  MPI_Finalize();
  return sum < 0;
}
