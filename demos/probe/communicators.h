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
  bool built_in = false;          ///< MPI_COMM_WORLD or MPI_COMM_SELF
  bool unwatched = false;         ///< not made by a call that we stand in front of, or with processes of no feed: what goes on there is not recorded
  int rank = 0;
  std::atomic<std::int32_t> collectives{0};  ///< called so far: their number on this communicator
  std::atomic<int> derived{0};               ///< communicators made from it so far
  std::atomic<bool> noted{false};            ///< by note_unwatched
  MPI_Errhandler on_error = MPI_ERRORS_ARE_FATAL;  ///< the program's wish; MPI itself always returns
  CallSite made;

  /// Those that messages go to.
  const std::vector<int>& peers() const { return inter ? remote : world; }
};
using CommunicatorPtr = std::shared_ptr<Communicator>;

/// Null for a handle that stands for nothing (never made, or freed). One that MPI knows and we do not is unwatched. Good until
/// the thread asks again.
const CommunicatorPtr& find_communicator(MPI_Comm comm);

inline std::atomic<std::uint64_t> g_communicators_epoch{1};  ///< grows when a handle changes its meaning
struct LastCommunicator {
  MPI_Comm comm;
  std::uint64_t epoch;
  Communicator* found;
};
inline constinit thread_local LastCommunicator t_last_communicator{MPI_COMM_NULL, 0, nullptr};
/// The thread's last answer, if it was about `comm` and still holds; null otherwise, which says nothing.
inline Communicator* recent_communicator(MPI_Comm comm) {
  const LastCommunicator& last = t_last_communicator;
  return last.comm == comm && last.epoch == g_communicators_epoch.load(std::memory_order_acquire) ? last.found : nullptr;
}

/// A communicator made from `parent` by `how` ("dup1"); every member calls it with the same words. Nothing for MPI_COMM_NULL.
void communicator_made(MPI_Comm comm, const CommunicatorPtr& parent, const std::string& how, const CallSite& where);
/// The same while it is still being made (MPI_Comm_idup): its members are those of `parent`.
void communicator_duplicating(MPI_Comm comm, const CommunicatorPtr& parent, const std::string& how, const CallSite& where);
void communicator_freed(MPI_Comm comm);
/// Those world ranks, under a name that all of them derive alike: they meet, in an order of their own, for what is no call on a
/// communicator of the program. It has no handle, and its members are `world`, also in their order.
CommunicatorPtr gathering(const std::string& name, std::vector<int> world);
/// World ranks of the members of a group, in its order.
std::vector<int> world_ranks(MPI_Group group);
/// Tells the lab, once for each, that the program speaks on a communicator that is unwatched: then nothing is known of its messages.
void note_unwatched(Communicator& communicator);
/// Communicators that the program made and did not free.
std::vector<CommunicatorPtr> communicators_left();
/// MPI_COMM_WORLD and MPI_COMM_SELF, after PMPI_Init.
void communicators_begin();
/// A copy of MPI_COMM_WORLD of our own: what we wait for there meets no call of the program.
MPI_Comm private_world();

/// Where windows that are not freed were made.
std::vector<CallSite> windows_left();

}  // namespace p2plab::probe
