// Indexed, struct, hvector and resized types sent as such and received as such or flat.
// ranks: 2
// variant right: => pass
#include <mpi.h>
#include <stddef.h>

typedef struct {
  char tag;
  double weight;
  int links[3];
} Node;

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  int lengths[3] = {1, 1, 3};
  MPI_Aint at[3] = {offsetof(Node, tag), offsetof(Node, weight), offsetof(Node, links)};
  MPI_Datatype kinds[3] = {MPI_CHAR, MPI_DOUBLE, MPI_INT}, raw, node, picked, every_third;
  MPI_Type_create_struct(3, lengths, at, kinds, &raw);
  MPI_Type_create_resized(raw, 0, sizeof(Node), &node);
  MPI_Type_free(&raw);
  MPI_Type_commit(&node);

  int block[3] = {2, 1, 3}, from[3] = {0, 5, 10};
  MPI_Type_indexed(3, block, from, MPI_INT, &picked);
  MPI_Type_commit(&picked);
  MPI_Type_create_hvector(4, 1, 3 * sizeof(short), MPI_SHORT, &every_third);
  MPI_Type_commit(&every_third);

  Node nodes[5] = {{0}};
  int numbers[20] = {0}, flat[6];
  short shorts[12] = {0}, four[4];
  if (rank == 0) {
    MPI_Send(nodes, 5, node, 1, 0, MPI_COMM_WORLD);
    MPI_Send(numbers, 1, picked, 1, 1, MPI_COMM_WORLD);
    MPI_Send(four, 4, MPI_SHORT, 1, 2, MPI_COMM_WORLD);
  } else {
    MPI_Recv(nodes, 5, node, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(flat, 6, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(shorts, 1, every_third, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&every_third);
  MPI_Type_free(&picked);
  MPI_Type_free(&node);
  MPI_Finalize();
  return 0;
}
