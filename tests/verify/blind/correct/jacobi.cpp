// Two-dimensional Jacobi steps, rows split over ranks; the wrong one updates the border rows too early.
// ranks: 3
// variant right: => pass
// variant wrong: -DWRONG => recv-buffer-race
#include <mpi.h>

#include <cmath>
#include <vector>

struct Grid {
  int rows, columns;
  std::vector<double> cells;
  Grid(int r, int c) : rows(r), columns(c), cells(static_cast<std::size_t>((r + 2) * c)) {}
  double* row(int r) { return cells.data() + static_cast<std::ptrdiff_t>(r) * columns; }
};

static void relax(Grid& from, Grid& to, int first, int last) {
  for (int r = first; r <= last; ++r)
    for (int c = 1; c + 1 < from.columns; ++c)
      to.row(r)[c] = 0.25 * (from.row(r - 1)[c] + from.row(r + 1)[c] + from.row(r)[c - 1] + from.row(r)[c + 1]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int up = rank ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  Grid a(8, 30), b(8, 30);
  for (int c = 0; c < 30; ++c) a.row(1)[c] = b.row(1)[c] = rank;
  for (int step = 0; step < 4; ++step) {
    MPI_Request requests[4];
    MPI_Irecv(a.row(0), a.columns, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(a.row(9), a.columns, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(a.row(8), a.columns, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(a.row(1), a.columns, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &requests[3]);
#ifdef WRONG
    relax(a, b, 1, 8);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
#else
    relax(a, b, 2, 7);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    relax(a, b, 1, 1);
    relax(a, b, 8, 8);
#endif
    std::swap(a, b);
  }
  MPI_Finalize();
}
