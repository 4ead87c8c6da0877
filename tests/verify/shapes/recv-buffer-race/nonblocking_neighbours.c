// A line of ranks exchanges borders by non-blocking calls that take from each neighbour. In the wrong one a border is read before the
// wait; the place of a neighbour that is not there is the program's own all the time.
// ranks: 2
// sizes: allgather -DHOW=1, alltoall -DHOW=2, alltoallv -DHOW=3, alltoallw -DHOW=4, all -DHOW=5
// variant wrong: -DREAD=theirs => recv-buffer-race at 0@read 1@read
// variant right: -DREAD=theirs -DWAIT => pass
// variant own: -DREAD=own => pass
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, here[2] = {1, 2}, border[2] = {-1, -1}, period = 0;
  int counts[2] = {1, 1}, places[2] = {0, 1}, bytes[2] = {0, sizeof(int)};
  MPI_Aint far[2] = {0, sizeof(int)};
  MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  volatile int seen = 0;
  MPI_Comm line;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 0, &line);
  MPI_Comm_rank(line, &rank);
  int theirs = 1 - rank, own = rank;  // the left end has no left neighbour, the right end no right one
#if HOW == 1
  MPI_Ineighbor_allgather(here, 1, MPI_INT, border, 1, MPI_INT, line, &request);
#elif HOW == 2
  MPI_Ineighbor_alltoall(here, 1, MPI_INT, border, 1, MPI_INT, line, &request);
#elif HOW == 3
  MPI_Ineighbor_alltoallv(here, counts, places, MPI_INT, border, counts, places, MPI_INT, line, &request);
#elif HOW == 4
  MPI_Ineighbor_alltoallw(here, counts, far, types, border, counts, far, types, line, &request);
#else
  counts[own] = 0;
  MPI_Ialltoallw(here, counts, bytes, types, border, counts, bytes, types, line, &request);
#endif
#ifdef WAIT
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
  seen = border[READ];  // @read
#ifndef WAIT
  MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
  (void)seen, (void)own, (void)theirs, (void)counts, (void)places, (void)bytes, (void)far, (void)types;
  MPI_Comm_free(&line);
  MPI_Finalize();
  return 0;
}
