// The blocking sends and receives. Most are plain: nothing is wrong with them, nothing is to be hashed, watched, forced or
// held up, and the message is there at once. They take a short way of few steps, and go over to the long one where they
// turn out to be anything else.
#include "demos/probe/operations.h"

namespace p2plab::probe {
namespace {

/// What MPI has said of an operation so far.
struct Answer {
  int code = MPI_SUCCESS;
  int done = 0;
  MPI_Status status;

  bool is_final() const { return done != 0 || code != MPI_SUCCESS; }
  void ask(MPI_Request& request) { code = PMPI_Test(&request, &done, &status); }
};

/// From the post, which gave `posted`, to the end.
int complete(Operation& operation, Call& call, int posted, Answer& answer, MPI_Status* status) {
  const CallSite& where = operation.what.where;
  if (posted != MPI_SUCCESS) return check(posted, where, operation.comm);
  if (!answer.is_final()) {
    if (access::program_has_threads()) watch(operation);
    wait_until(call, [&] {
      const MpiOwns inside;
      answer.ask(operation.real);
      return answer.is_final();
    });
  }
  const int code = answer.code;
  MPI_Status& seen = answer.status;
  if (code != MPI_SUCCESS || (!operation.what.send && bytes_of(seen) != operation.bytes())) call.begin();
  code == MPI_SUCCESS ? finish(operation, seen, false) : record_failure(operation, code, seen);
  mend_status(operation, seen);
  if (status != MPI_STATUS_IGNORE) *status = seen;
  watch_status(operation.wildcard, status);
  if (code == MPI_SUCCESS) call.end(operation.number != trace::kNone);
  return check(code, where, operation.comm);
}

/// Null unless the transfer is plain: then its communicator, and its type in `layout`.
Communicator* if_plain(const Transfer& what, const Datatype*& layout) {
  const Probe& probe = Probe::get();
  if (!probe.unhindered || probe.finalized.load(std::memory_order_relaxed)) return nullptr;
  Communicator* comm = recent_communicator(what.comm);
  layout = recent_datatype(what.type);
  const bool known = comm != nullptr && !comm->unwatched && layout != nullptr && layout->committed && Thread::current().on();
  if (!known || what.count < 0 || (what.buffer == nullptr && what.count > 0) || what.tag < 0 || what.tag > probe.tag_limit) return nullptr;
  return what.peer >= 0 && static_cast<std::size_t>(what.peer) < comm->peers().size() ? comm : nullptr;
}

int transfer_plainly(const Transfer& what, Communicator& comm, const Datatype& layout, MPI_Status* status) {
  Thread& thread = Thread::current();
  thread.end_polling();
  const trace::Ticks began = thread.ring()->now();
  MPI_Request request = MPI_REQUEST_NULL;
  const int posted = hand_over(what, what.peer, &request);
  // All else is written while the message travels.
  Record record = record_of(what, comm, layout, trace::kBlocking | trace::kPosts);
  record.ticks = began;
  record.type = RecordType::done;
  record.lane = thread.lane();
  record.name = thread.text(what.where.call);
  record.site = thread.site(what.where.pc);
  record.id = thread.next_id();
  record.peer = comm.peers()[static_cast<std::size_t>(what.peer)];
  record.tag = what.tag;
  record.request = Probe::get().next_request();
  const std::uint32_t span = thread.next_id();
  Answer answer;
  for (int look = 0; posted == MPI_SUCCESS && look < kQuickLooks && !answer.is_final(); ++look) answer.ask(request);
  if (answer.done != 0 && answer.code == MPI_SUCCESS && (what.send || static_cast<std::uint64_t>(bytes_of(answer.status)) == record.bytes)) [[likely]] {
    record.value |= (thread.ring()->now() - record.ticks) << 16;
    thread.push_stamped(record);
    if (status != MPI_STATUS_IGNORE) *status = answer.status;
    return MPI_SUCCESS;
  }
  Operation operation;
  operation.what = what;
  operation.comm = find_communicator(what.comm);
  operation.layout = find_datatype(what.type);
  operation.real = request;
  operation.number = record.request;
  operation.span = span;
  operation.source = what.peer;
  record.type = RecordType::begin;
  Call call(thread, record);
  return complete(operation, call, posted, answer, status);
}

}  // namespace

int transfer_now(const Transfer& transfer, MPI_Status* status) {
  const Datatype* layout = nullptr;
  if (Communicator* comm = if_plain(transfer, layout)) return transfer_plainly(transfer, *comm, *layout, status);
  Operation operation;
  if (const int error = prepare(transfer, operation, false); error != MPI_SUCCESS) return error;
  delay();
  touch(operation);
  // A message that is there at once is one record; one that is spoken of before its end needs a beginning.
  const Record record = begin_record(operation, trace::kBlocking | trace::kPosts);
  const bool plain = !hashed(operation) && !operation.is_wildcard();
  Call call(transfer.where, record, plain ? Call::When::if_needed : Call::When::now);
  operation.span = call.in_flight();
  const int posted = post(operation);
  Answer answer;
  return complete(operation, call, posted, answer, status);
}

}  // namespace p2plab::probe
