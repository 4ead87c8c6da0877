// A reduction with an operation of the program's own, on a derived type.
// ranks: 2 4
// variant right: => pass
#include <mpi.h>

#include <complex>

using Complex = std::complex<double>;

static void multiply(void* in, void* inout, int* count, MPI_Datatype*) {
  const auto* a = static_cast<Complex*>(in);
  auto* b = static_cast<Complex*>(inout);
  for (int i = 0; i < *count; ++i) b[i] *= a[i];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  MPI_Op product;
  MPI_Op_create(multiply, 1, &product);
  Complex mine[3] = {{0, 1}, {2, 0}, {1, 1}}, all[3];
  MPI_Allreduce(mine, all, 3, pair, product, MPI_COMM_WORLD);
  MPI_Op_free(&product);
  MPI_Type_free(&pair);
  MPI_Finalize();
}
