// A search in which the first answer decides: legal when all answers are equal, a race when they differ.
// ranks: 3 4
// variant wrong: -DANSWER=rank => message-race
// variant right: -DANSWER=42 => pass
#include <mpi.h>

#include <cstdio>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int answer = ANSWER, ignored;
  if (rank == 0) {
    MPI_Recv(&answer, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 2; i < size; ++i)
      MPI_Recv(&ignored, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::printf("the answer is %d\n", answer);
  } else {
    MPI_Send(&answer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
