// All workers' answers are received into the same variable.
// ranks: 3 4
// variant wrong: -DWRONG => recv-buffer-race at 0@irecv
// variant right: => pass
#include <mpi.h>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    std::vector<double> answers(size, 0.0);
    std::vector<MPI_Request> requests(size - 1);
    for (int worker = 1; worker < size; ++worker) {
#ifdef WRONG
      double& into = answers[0];
#else
      double& into = answers[worker];
#endif
      MPI_Irecv(&into, 1, MPI_DOUBLE, worker, 0, MPI_COMM_WORLD, &requests[worker - 1]);  // @irecv
    }
    MPI_Waitall(size - 1, requests.data(), MPI_STATUSES_IGNORE);
    double sum = 0;
    for (double a : answers) sum += a;
    std::printf("%g\n", sum);
  } else {
    const double answer = 1.0 / rank;
    MPI_Send(&answer, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
