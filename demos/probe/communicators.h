// Communicators by a name that all of their members derive alike, and who their members are in MPI_COMM_WORLD.
#pragma once
#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "demos/probe/thread.h"

namespace p2plab::probe {

struct Communicator {
  MPI_Comm handle = MPI_COMM_NULL;
  std::string name;               ///< "MPI_COMM_WORLD", "MPI_COMM_WORLD.split1[0]"
  StringHandle text = 0;
  std::vector<int> world;         ///< world ranks of the own group, by rank of the communicator
  std::vector<int> remote;        ///< of the other group; empty unless it is an inter-communicator
  bool inter = false;
  bool built_in = false;
  int rank = 0;
  std::atomic<std::int32_t> collectives{0};  ///< called so far: their number on this communicator
  std::atomic<int> derived{0};               ///< communicators made from it so far
  MPI_Errhandler on_error = MPI_ERRORS_ARE_FATAL;  ///< the program's wish; MPI itself always returns
  CallSite made;

  /// Those that messages go to.
  const std::vector<int>& peers() const { return inter ? remote : world; }
};
using CommunicatorPtr = std::shared_ptr<Communicator>;

/// Null for a handle that stands for nothing (never made, or freed). Good until the thread asks again.
const CommunicatorPtr& find_communicator(MPI_Comm comm);

/// A communicator made from `parent` by `how` ("dup1"); every member calls it with the same words. Nothing for MPI_COMM_NULL.
void communicator_made(MPI_Comm comm, const CommunicatorPtr& parent, const std::string& how, const CallSite& where);
/// The same while it is still being made (MPI_Comm_idup): its members are those of `parent`.
void communicator_duplicating(MPI_Comm comm, const CommunicatorPtr& parent, const std::string& how, const CallSite& where);
void communicator_freed(MPI_Comm comm);
/// Communicators that the program made and did not free.
std::vector<CommunicatorPtr> communicators_left();
/// MPI_COMM_WORLD and MPI_COMM_SELF, after PMPI_Init.
void communicators_begin();
/// A copy of MPI_COMM_WORLD of our own: what we wait for there meets no call of the program.
MPI_Comm private_world();

}  // namespace p2plab::probe
