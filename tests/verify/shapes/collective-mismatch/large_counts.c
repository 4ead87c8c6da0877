// The large-count forms of MPI 4.0: collectives, and types made of large counts.
// ranks: 2 3
// variant right: => pass
// variant count: -DWRONG=1 => collective-mismatch at 0@bcast 1@bcast
// variant each: -DWRONG=2 => collective-mismatch
// variant type: -DWRONG=3 => type-mismatch at 0@send 1@receive
// variant leak: -DWRONG=4 => resource-leak
// variant uncommitted: -DWRONG=5 => invalid-argument
// quick: right/2 count/2 type/2
#include <mpi.h>
#include <stddef.h>

#ifndef WRONG
#define WRONG 0
#endif

struct pair {
  double weight;
  int index;
};

int main(int argc, char **argv) {
  int rank, size, words[8] = {0};
  struct pair pairs[4] = {{0, 0}};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Bcast_c(words, WRONG == 1 ? 8 - rank % 2 : 8, MPI_INT, 0, MPI_COMM_WORLD);  // @bcast
  MPI_Count counts[8];
  MPI_Aint places[8];
  int all[64];
  for (int i = 0; i < size; ++i) {
    counts[i] = WRONG == 2 && rank == 0 && i == 1 ? 1 : 2;
    places[i] = 4 * i;
  }
  MPI_Allgatherv_c(words, 2, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  MPI_Count lengths[] = {1, 1}, offsets[] = {offsetof(struct pair, weight), offsetof(struct pair, index)};
  MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT}, packed, pair, run;
  MPI_Type_create_struct_c(2, lengths, offsets, types, &packed);
  MPI_Type_create_resized_c(packed, 0, sizeof(struct pair), &pair);
  MPI_Type_vector_c(2, 1, 2, MPI_INT, &run);
#if WRONG != 5
  MPI_Type_commit(&pair);
#endif
  MPI_Type_commit(&run);
  if (rank == 0) MPI_Send_c(pairs, 4, pair, 1, 0, MPI_COMM_WORLD);  // @send
  if (rank == 1) MPI_Recv_c(pairs, 4, WRONG == 3 ? MPI_2INT : pair, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
  if (rank == 0) MPI_Send_c(words, 1, run, 1, 1, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv_c(words, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&packed);
  MPI_Type_free(&pair);
#if WRONG != 4
  MPI_Type_free(&run);
#endif
  MPI_Finalize();
  return 0;
}
