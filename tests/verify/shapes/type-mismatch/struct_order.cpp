// Sender and receiver describe the same struct with their members in another order.
// ranks: 2
// variant wrong: -DWRONG => type-mismatch
// variant right: => pass
#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

struct Particle {
  double position;
  int id;
  int cell;
};

using Member = std::pair<MPI_Aint, MPI_Datatype>;

static MPI_Datatype make(const std::vector<Member>& members) {
  std::vector<int> lengths(members.size(), 1);
  std::vector<MPI_Aint> at;
  std::vector<MPI_Datatype> types;
  for (const auto& [offset, type] : members) {
    at.push_back(offset);
    types.push_back(type);
  }
  MPI_Datatype raw, type;
  MPI_Type_create_struct(static_cast<int>(members.size()), lengths.data(), at.data(), types.data(), &raw);
  MPI_Type_create_resized(raw, 0, sizeof(Particle), &type);
  MPI_Type_free(&raw);
  MPI_Type_commit(&type);
  return type;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Member position{offsetof(Particle, position), MPI_DOUBLE}, id{offsetof(Particle, id), MPI_INT};
  std::vector<Particle> swarm(10);
#ifdef WRONG
  MPI_Datatype type = rank == 0 ? make({position, id}) : make({id, position});
#else
  MPI_Datatype type = make({position, id});
#endif
  if (rank == 0)
    MPI_Send(swarm.data(), 10, type, 1, 0, MPI_COMM_WORLD);
  else
    MPI_Recv(swarm.data(), 10, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&type);
  MPI_Finalize();
}
