// One point-to-point operation: checked, posted as its non-blocking twin, watched, hashed, completed.
#pragma once
#include <optional>

#include "demos/probe/access/watch.h"
#include "demos/probe/arguments.h"

namespace p2plab::probe {

enum class Mode { standard, buffered, synchronous, ready };

/// What the program asked for.
struct Transfer {
  CallSite where;
  bool send = true;
  Mode mode = Mode::standard;
  void* buffer = nullptr;  ///< of a send only read
  MPI_Count count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  int peer = MPI_PROC_NULL;
  int tag = 0;
  MPI_Comm comm = MPI_COMM_NULL;
};

struct Operation {
  Transfer what;
  CommunicatorPtr comm;
  DatatypePtr layout;
  MPI_Request real = MPI_REQUEST_NULL;
  std::int32_t number = trace::kNone;  ///< in the records; kNone: it stands for nothing that is recorded
  std::uint32_t span = 0;              ///< in flight
  int wildcard = trace::kNone;         ///< number among the wildcards of the rank; kNone for a named source
  int source = MPI_ANY_SOURCE;         ///< of a receive, as it is posted: forced by the lab, or the program's own
  bool announced = false;              ///< of a wildcard: whom it matched has been recorded
  bool settled = false;                ///< known to be complete: its buffer is the program's, though the request lives on
  bool watched = false;

  bool null_peer() const { return what.peer == MPI_PROC_NULL; }
  /// It speaks to nobody, or on a communicator of which nothing is recorded.
  bool unrecorded() const { return null_peer() || (comm != nullptr && comm->unwatched); }
  bool is_wildcard() const { return !what.send && (what.peer == MPI_ANY_SOURCE || what.tag == MPI_ANY_TAG) && !null_peer(); }
  MPI_Count bytes() const { return layout == nullptr ? 0 : what.count * layout->size; }
};

/// While one lives, what this thread touches is MPI's doing; nothing at all where accesses are not told.
class MpiOwns {
 public:
  MpiOwns() {
    if (Probe::get().orders.access != 0) inside_.emplace();
  }

 private:
  std::optional<access::InsideMpi> inside_;
};

/// Checks the arguments; the class of the first error, MPI_SUCCESS when all is well. Fills in what is known.
/// `keeps`: the operation outlives the call, and so must its communicator and type.
int prepare(const Transfer& transfer, Operation& out, bool keeps = true);

/// The record of the call, its operation in flight beside it; gives the operation its number.
Record begin_record(Operation& operation, std::uint8_t flags);
/// The same for an operation without a call of its own.
void begin_in_flight(Operation& operation, std::uint8_t flags = 0);

/// What every record of a transfer says.
Record record_of(const Transfer& what, const Communicator& comm, const Datatype& layout, std::uint8_t flags);

/// Gives it to MPI as its non-blocking twin, a receive from `source`.
int hand_over(const Transfer& what, int source, MPI_Request* out);
/// Hands it to MPI. Hashes and watches from here on.
int post(Operation& operation);
/// Asks MPI once. When it is done: hashed, released, recorded; `status` may be MPI_STATUS_IGNORE.
int look(Operation& operation, bool& done, MPI_Status* status);
/// Is its data to be hashed?
bool hashed(const Operation& operation);
/// MPICH's public status: 63 bits of the count, and one that says cancelled. Asking by calls would be a good part of the
/// price of a small message.
inline MPI_Count bytes_of(const MPI_Status& status) {
  return (static_cast<MPI_Count>(status.count_hi_and_cancelled >> 1) << 32) | static_cast<MPI_Count>(static_cast<unsigned>(status.count_lo));
}
/// MPI completed it with an error; a message that does not fit has been matched all the same.
void record_failure(Operation& operation, int code, const MPI_Status& status);
/// The status of a call that speaks to nobody, as the standard gives it (section 3.11).
void mend_status(const Operation& operation, MPI_Status& status);
/// Records whom a pending wildcard has matched, if MPI knows by now.
void announce(Operation& operation);
/// It is over, however it came to be; `ends` closes the span in flight as well.
void finish(Operation& operation, const MPI_Status& status, bool ends = true);
/// It is complete, and the program knows, though the request has not been completed: MPI_Request_get_status.
void settle(Operation& operation, const MPI_Status& status);
/// Its buffer belongs to the program again.
void release(Operation& operation);
/// Nobody waits for it any more: its buffer stays watched until this rank has heard from another.
void abandon(Operation& operation);
/// Something has come from another rank, which may be how the program knows that what it has abandoned is complete.
void heard_from_others();
void watch(Operation& operation);
/// The buffer of a blocking call: as if the program touched it here.
void touch(const Operation& operation);
/// The send whose buffer this thread touches so; null outside.
const char* sending();

/// Posts, waits and completes: the blocking calls.
int transfer_now(const Transfer& transfer, MPI_Status* status);

/// World rank of a rank of the communicator; kNone for MPI_ANY_SOURCE and MPI_PROC_NULL.
int world_peer(const Communicator& comm, int rank);
/// The number of a receive or probe of `source`: kNone unless it is MPI_ANY_SOURCE.
int wildcard_number(int source);
/// The number that the next one will bear: for a look, which counts only if it finds a message.
int next_wildcard(int source);
/// What this wildcard is to match: its own source unless the lab forces another.
int chosen_source(int wildcard, int source);
/// The program was told whom a wildcard matched: remembers to see whether it looks.
void watch_status(int wildcard, const MPI_Status* status);
/// A seeded delay before a communication call, if the lab wants one.
void delay();

}  // namespace p2plab::probe
