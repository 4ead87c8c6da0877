// A derived type is made anew for each message; the wrong one never frees them.
// ranks: 2
// variant wrong: -DWRONG => resource-leak
// variant right: => pass
#include <mpi.h>

#include <vector>

class Row {
 public:
  explicit Row(int n) {
    MPI_Type_contiguous(n, MPI_INT, &type_);
    MPI_Type_commit(&type_);
  }
  ~Row() {
#ifndef WRONG
    MPI_Type_free(&type_);
#endif
  }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;
  MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int n = 1; n <= 4; ++n) {
    Row row(n);
    std::vector<int> data(n);
    if (rank == 0) MPI_Send(data.data(), 1, row.type(), 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(data.data(), 1, row.type(), 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
