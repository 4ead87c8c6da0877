// MPI_Isendrecv and MPI_Isendrecv_replace, also with large counts and a strided type, around a ring.
// ranks: 2 3
// sizes: small -DN=4, large -DN=20000
// variant right: => pass
#include <mpi.h>

int main(int argc, char **argv) {
  static int words[2 * N], in[N];
  int rank, size;
  MPI_Datatype odd;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  for (int i = 0; i < 2 * N; ++i) words[i] = rank;
  MPI_Isendrecv_c(words, N, MPI_INT, next, 0, in, N, MPI_INT, before, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_vector(N, 1, 2, MPI_INT, &odd);
  MPI_Type_commit(&odd);
  MPI_Isendrecv_replace(words + 1, 1, odd, next, 1, before, 1, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 2 * N; i += 2) words[i] = -1;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&odd);
  MPI_Finalize();
  return in[N - 1] == before && words[2 * N - 1] == before && words[0] == -1 ? 0 : 1;
}
