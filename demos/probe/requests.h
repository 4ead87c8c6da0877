// Requests of the program. MPI gives the same handle to all sends that are complete at once, so the program is given
// handles of ours: each stands for one operation, and one that is used up is known to be.
#pragma once
#include <span>

#include "demos/probe/access/watch.h"
#include "demos/probe/operations.h"

namespace p2plab::probe {

class Collective;

struct Request {
  enum class Kind { transfer, collective, partitioned };
  Kind kind = Kind::transfer;
  Operation operation;               ///< of a collective only real, number, span, comm and what.where count
  std::shared_ptr<Operation> send;   ///< of MPI_Isendrecv, whose receive is `operation`
  std::vector<char> sent_copy;       ///< what `send` sends, of MPI_Isendrecv_replace
  bool sent = false, received = false;
  MPI_Status status{};
  CallSite made;                     ///< the call that made the request
  bool persistent = false;
  bool active = true;
  bool asked = false;                ///< by a test, or MPI_Request_get_status
  std::int64_t held_until = 0;       ///< in a run with delays, by a call for any or some; 0: not yet
  int starts = 0;
  bool freed = false;                ///< by MPI_Request_free while it was active
  MPI_Datatype kept_type = MPI_DATATYPE_NULL;  ///< a copy for a persistent request, whose type may be freed before it
  MPI_Request base = MPI_REQUEST_NULL;         ///< MPI's own persistent request, of a partitioned operation or a collective
  std::shared_ptr<Collective> collective;      ///< of a persistent one: what each start does again
  int partitions = 0;
  std::vector<bool> ready;           ///< by partition, of a partitioned send
  std::vector<std::int32_t> watched; ///< of a collective: ids under which its buffers are watched

  /// The one of MPI's that completes it.
  MPI_Request& real() { return base != MPI_REQUEST_NULL ? base : operation.real; }
};

/// Takes it over and gives the handle for the program.
MPI_Request add_request(Request request);
/// True for a handle that add_request made, used up or not.
bool is_ours(MPI_Request handle);
/// Null when it is used up (or none of ours).
Request* find_request(MPI_Request handle);
void drop_request(MPI_Request handle);

/// Checks, posts, and gives the handle: the non-blocking calls.
int transfer_later(const Transfer& transfer, MPI_Request* out);
/// MPI_Isendrecv: one request for both, which keeps `sent_copy`.
int exchange_later(const Transfer& send, const Transfer& receive, MPI_Request* out, std::vector<char> sent_copy = {});
/// A request that is started by MPI_Start.
int transfer_init(const Transfer& transfer, MPI_Request* out);
/// Asks MPI once about a request, whatever it is. A null or inactive one is done at once, `active` false. When done, a
/// request that is not persistent is used up and `*handle` null.
int look(MPI_Request* handle, bool& done, bool& active, MPI_Status* status, const CallSite& where);
/// The number under which the trace knows it; kNone if it waits for nothing.
std::int32_t number_of(MPI_Request handle);
/// The communicator whose error handler counts.
CommunicatorPtr communicator_of(MPI_Request handle);

/// Tells whom pending wildcards have matched; called now and then while the rank stands still.
void announce_wildcards();

/// The calls behind watched operations, for what is found on their buffers.
void requests_watch(const Operation& operation);
void requests_release(const Operation& operation);
void requests_watch_collective(std::int32_t id, const CallSite& where, const CommunicatorPtr& comm, std::uint64_t bytes);
void requests_release_collective(std::int32_t id);

/// A read of these bytes means that the program can tell what this wildcard matched.
void requests_watch_status(int wildcard, access::Piece source, access::Piece tag);

/// Tells that the request came to no good end: never started, completed or freed. Nothing for one that is used up.
void report_leak(const Request& request);
/// Requests that were never used up, for MPI_Finalize.
std::vector<const Request*> requests_left();

}  // namespace p2plab::probe
