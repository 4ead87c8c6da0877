// Probes: looking for a message before receiving it. A matched probe takes the message: from then on it is a receive in
// flight, whatever buffer it will get.
#include "demos/probe/access/watch.h"
#include "demos/probe/requests.h"

namespace p2plab::probe {
namespace {

int checked(const CallSite& where, int source, int tag, MPI_Comm comm, const MPI_Status* status, CommunicatorPtr& out) {
  Arguments arguments(where, comm);
  arguments.peer(source, true).tag(tag, true).status(status);
  out = arguments.comm;
  return arguments.error;
}

int tag_of(int tag) { return tag == MPI_ANY_TAG ? trace::kNone : tag; }

Record probe_record(const Communicator& comm, int source, int tag, int wildcard = trace::kNone) {
  Record record;
  record.kind = trace::Kind::wait;
  record.flags = trace::kBlocking;
  record.comm = comm.text;
  record.peer = world_peer(comm, source);
  record.tag = tag_of(tag);
  record.sequence = wildcard;
  return record;
}

/// Whom a probe of any source has seen.
void record_probed(Call& call, const Communicator& comm, int wildcard, const MPI_Status& status) {
  if (wildcard == trace::kNone) return;
  Record record;
  record.type = RecordType::matched;
  record.id = call.id();
  record.peer = world_peer(comm, status.MPI_SOURCE);
  record.tag = status.MPI_TAG;
  call.thread().push(record);
}

/// Stands still until `poll` sees a message; `found` is told before the program is.
template <class Poll, class Found>
int wait_for_message(const CallSite& where, int source, int tag, MPI_Comm comm, MPI_Status* status, Poll poll, Found found) {
  CommunicatorPtr of;
  if (const int error = checked(where, source, tag, comm, status, of); error != MPI_SUCCESS) return error;
  delay();
  if (of->unwatched) note_unwatched(*of);
  const int wildcard = of->unwatched ? trace::kNone : wildcard_number(source);
  const int chosen = chosen_source(wildcard, source);
  Call call(where, probe_record(*of, chosen, tag, wildcard));
  if (source != MPI_PROC_NULL && !of->unwatched) call.waits_for_message(of->text, world_peer(*of, chosen), tag_of(tag));
  int code = MPI_SUCCESS;
  MPI_Status seen;
  wait_until(call, [&] {
    int flag = 0;
    code = poll(chosen, &flag, &seen);
    return flag != 0 || code != MPI_SUCCESS;
  });
  if (code != MPI_SUCCESS) return check(code, where, of);
  heard_from_others();
  record_probed(call, *of, wildcard, seen);
  found(seen);
  if (status != MPI_STATUS_IGNORE) *status = seen;
  watch_status(wildcard, status);
  return MPI_SUCCESS;
}

/// A look for a forced source that has not come: noted once for each number, as such a look leaves no span behind.
void looked_in_vain(int wildcard) {
  static std::atomic<int> last{trace::kNone};
  if (last.exchange(wildcard) != wildcard) note("forced-look", {}, wildcard);
}

/// One look. Those that find a message count among the wildcards.
template <class Poll, class Found>
int look_for_message(const CallSite& where, int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status, Poll poll, Found found) {
  CommunicatorPtr of;
  if (const int error = checked(where, source, tag, comm, status, of); error != MPI_SUCCESS) return error;
  MPI_Status seen;
  const int chosen = of->unwatched ? source : chosen_source(next_wildcard(source), source);
  const int code = poll(chosen, flag, &seen);
  if (code != MPI_SUCCESS) return check(code, where, of);
  if (*flag == 0 && of->unwatched) {
    note_unwatched(*of);
    Thread::current().end_polling();  // nothing says what it waits for
    return MPI_SUCCESS;
  }
  if (*flag == 0) {
    if (chosen != source) looked_in_vain(next_wildcard(source));
    Thread::current().polled_message(where, of->text, world_peer(*of, chosen), tag_of(tag));
    return MPI_SUCCESS;
  }
  heard_from_others();
  const int wildcard = of->unwatched ? trace::kNone : wildcard_number(source);
  Record record = probe_record(*of, chosen, tag, wildcard);
  record.flags = 0;
  Call call(where, record);
  record_probed(call, *of, wildcard, seen);
  found(seen);
  if (status != MPI_STATUS_IGNORE) *status = seen;
  watch_status(wildcard, status);
  return MPI_SUCCESS;
}

/// Messages that a matched probe has taken, by MPI's handle.
struct Taken {
  std::mutex mutex;
  std::vector<std::pair<MPI_Message, Operation>> messages;
};
Taken& taken() {
  static Taken* const kTaken = new Taken;
  return *kTaken;
}

void take(const CallSite& where, MPI_Comm comm, MPI_Message message, const MPI_Status& status) {
  if (message == MPI_MESSAGE_NO_PROC || message == MPI_MESSAGE_NULL) return;
  Operation operation;
  MPI_Count bytes = 0;
  PMPI_Get_elements_x(&status, MPI_BYTE, &bytes);
  operation.what = {where, false, Mode::standard, nullptr, bytes, MPI_PACKED, status.MPI_SOURCE, status.MPI_TAG, comm};
  operation.comm = find_communicator(comm);
  operation.layout = find_datatype(MPI_PACKED);  // matches any signature; the receive that follows says what it is
  begin_in_flight(operation, trace::kPolling);  // taken, not received: its sender still waits
  const Guard lock(taken().mutex);
  taken().messages.emplace_back(message, std::move(operation));
}

/// The message's operation, with the buffer that it is received into; posted.
int receive_taken(const CallSite& where, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Message* message, Operation& out) {
  Arguments arguments(where);
  if (arguments.pointer(message, "message").bad()) return arguments.error;
  if (*message == MPI_MESSAGE_NULL) return arguments.reject(MPI_ERR_REQUEST, "message-null").error;
  {
    const Guard lock(taken().mutex);
    auto& messages = taken().messages;
    for (auto it = messages.begin(); it != messages.end(); ++it) {
      if (it->first != *message) continue;
      out = std::move(it->second);
      messages.erase(it);
      break;
    }
  }
  arguments.comm = out.comm;
  DatatypePtr layout;
  arguments.count(count).type(type, layout).buffer(buffer, count, layout);
  if (arguments.bad()) return arguments.error;
  const std::uint64_t sent = static_cast<std::uint64_t>(out.bytes());
  out.layout = find_datatype(type);
  out.what.where = where;
  out.what.buffer = buffer;
  out.what.count = count;
  out.what.type = type;
  if (static_cast<std::uint64_t>(out.bytes()) < sent) {
    Defect defect;
    defect.kind = "size-mismatch";
    defect.detail = "truncated";
    defect.bytes = static_cast<std::uint64_t>(out.bytes());
    return fail(where, out.comm, MPI_ERR_TRUNCATE, defect);
  }
  const MpiOwns inside;
  return check(PMPI_Imrecv_c(buffer, count, type, message, &out.real), where, out.comm);
}

Record receive_record(const Operation& operation, std::uint8_t flags) {
  Record record;
  record.kind = trace::Kind::receive;
  record.flags = flags;
  record.comm = operation.comm == nullptr ? 0 : operation.comm->text;
  record.bytes = static_cast<std::uint64_t>(operation.bytes());
  record.value = operation.layout->signature_text;
  record.request = operation.number;
  return record;
}

int mrecv_now(const CallSite& where, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  Operation operation;
  if (const int error = receive_taken(where, buffer, count, type, message, operation); error != MPI_SUCCESS) return error;
  touch(operation);
  Call call(where, receive_record(operation, trace::kBlocking));
  bool done = false;
  int code = MPI_SUCCESS;
  wait_until(call, [&] {
    code = look(operation, done, status);
    return done;
  });
  return check(code, where, operation.comm);
}

int mrecv_later(const CallSite& where, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Message* message, MPI_Request* out) {
  Request request;
  if (const int error = receive_taken(where, buffer, count, type, message, request.operation); error != MPI_SUCCESS) return error;
  request.made = where;
  const Call call(where, receive_record(request.operation, 0));
  watch(request.operation);
  *out = add_request(std::move(request));
  return MPI_SUCCESS;
}

}  // namespace
}  // namespace p2plab::probe

using namespace p2plab::probe;

P2PLAB_MPI int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  return wait_for_message({"MPI_Probe", P2PLAB_CALLER}, source, tag, comm, status,
                          [&](int from, int* flag, MPI_Status* seen) { return PMPI_Iprobe(from, tag, comm, flag, seen); }, [](const MPI_Status&) {});
}
P2PLAB_MPI int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return look_for_message({"MPI_Iprobe", P2PLAB_CALLER}, source, tag, comm, flag, status,
                          [&](int from, int* yes, MPI_Status* seen) { return PMPI_Iprobe(from, tag, comm, yes, seen); }, [](const MPI_Status&) {});
}
P2PLAB_MPI int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  const CallSite where{"MPI_Mprobe", P2PLAB_CALLER};
  return wait_for_message(where, source, tag, comm, status,
                          [&](int from, int* flag, MPI_Status* seen) { return PMPI_Improbe(from, tag, comm, flag, message, seen); },
                          [&](const MPI_Status& seen) { take(where, comm, *message, seen); });
}
P2PLAB_MPI int MPI_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  const CallSite where{"MPI_Improbe", P2PLAB_CALLER};
  return look_for_message(where, source, tag, comm, flag, status,
                          [&](int from, int* yes, MPI_Status* seen) { return PMPI_Improbe(from, tag, comm, yes, message, seen); },
                          [&](const MPI_Status& seen) { take(where, comm, *message, seen); });
}

#define P2PLAB_MATCHED(suffix, Count)                                                                                     \
  P2PLAB_MPI int MPI_Mrecv##suffix(void* buffer, Count count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) { \
    return mrecv_now({"MPI_Mrecv" #suffix, P2PLAB_CALLER}, buffer, count, type, message, status);                         \
  }                                                                                                                       \
  P2PLAB_MPI int MPI_Imrecv##suffix(void* buffer, Count count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) { \
    return mrecv_later({"MPI_Imrecv" #suffix, P2PLAB_CALLER}, buffer, count, type, message, request);                     \
  }
P2PLAB_MATCHED(, int)
P2PLAB_MATCHED(_c, MPI_Count)
