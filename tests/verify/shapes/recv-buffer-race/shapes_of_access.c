// Accesses of many shapes to what is arriving: struct copies, bit fields, long double, complex, atomics, unaligned words.
// ranks: 2
// variant struct-copy: -DHOW=1 => recv-buffer-race at 1@irecv
// variant struct-store: -DHOW=2 => recv-buffer-race at 1@irecv
// variant bitfield: -DHOW=3 => recv-buffer-race at 1@irecv
// variant long-double: -DHOW=4 => recv-buffer-race at 1@irecv
// variant complex: -DHOW=5 => recv-buffer-race at 1@irecv
// variant atomic: -DHOW=6 => recv-buffer-race at 1@irecv
// variant unaligned: -DHOW=7 => recv-buffer-race at 1@irecv
// variant increment: -DHOW=8 => recv-buffer-race at 1@irecv
// variant right: -DHOW=0 => pass
#include <complex.h>
#include <mpi.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  double v[8];
  unsigned low : 5, high : 11;
  long double ld;
  double complex z;
  int counter;
  char bytes[16];
} Blob;

static Blob blob, other;

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  volatile int sink = 0;
  (void)other;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Send(&blob, sizeof blob, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  } else {
    MPI_Request request;
    MPI_Irecv(&blob, sizeof blob, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);  // @irecv
#if HOW == 1
    other = blob;
#elif HOW == 2
    blob = other;
#elif HOW == 3
    blob.high = 3;
#elif HOW == 4
    sink = blob.ld > 0;
#elif HOW == 5
    sink = creal(blob.z) > 0;
#elif HOW == 6
    sink = __atomic_load_n(&blob.counter, __ATOMIC_SEQ_CST);
#elif HOW == 7
    sink = *(volatile uint16_t *)(blob.bytes + 3);
#elif HOW == 8
    blob.counter++;
#else
    sink = other.counter;
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    sink += blob.counter;
  }
  MPI_Finalize();
  return sink < 0;
}
