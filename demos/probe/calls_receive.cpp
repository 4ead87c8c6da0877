// The receives, and the calls that send and receive at once.
#include <utility>
#include <vector>

#include "demos/probe/access/watch.h"
#include "demos/probe/requests.h"

namespace p2plab::probe {
namespace {

Transfer receive_of(const CallSite& where, void* buffer, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  return {where, false, Mode::standard, buffer, count, type, peer, tag, comm};
}

int receive_now(const CallSite& where, void* buffer, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Status* status) {
  Arguments arguments(where);
  if (arguments.status(status).bad()) return arguments.error;
  return transfer_now(receive_of(where, buffer, count, type, peer, tag, comm), status);
}

/// Both transfers of one call, waited for together.
int send_and_receive(const Transfer& send, const Transfer& receive, MPI_Status* status) {
  Operation out, in;
  Arguments arguments(send.where);
  if (arguments.status(status).bad()) return arguments.error;
  if (const int error = prepare(send, out); error != MPI_SUCCESS) return error;
  if (const int error = prepare(receive, in); error != MPI_SUCCESS) return error;
  delay();
  touch(out);
  touch(in);
  Record record;
  record.kind = trace::Kind::send;
  record.flags = trace::kBlocking | trace::kGroup;
  record.comm = out.comm->text;
  record.peer = world_peer(*out.comm, send.peer);
  record.tag = send.tag;
  record.bytes = static_cast<std::uint64_t>(out.bytes());
  Call call(send.where, record);
  begin_in_flight(in);
  begin_in_flight(out);
  for (const Operation* operation : {&in, &out}) {
    if (operation->number != trace::kNone) call.waits_for(operation->number);
  }
  int code = post(in);
  if (code == MPI_SUCCESS) code = post(out);
  if (code != MPI_SUCCESS) return check(code, send.where, out.comm);
  watch(in);   // tells of an overlap of the two
  watch(out);
  bool sent = false, received = false;
  wait_until(call, [&] {
    if (!sent && code == MPI_SUCCESS) code = look(out, sent, MPI_STATUS_IGNORE);
    if (!received && code == MPI_SUCCESS) code = look(in, received, status);
    return code != MPI_SUCCESS || (sent && received);
  });
  return check(code, send.where, out.comm);
}

/// The two transfers of a call that receives into the buffer it sends: what is sent is copied aside first, element by element of
/// the type map, as the call promises.
struct Replacement {
  Transfer send, receive;
  std::vector<char> copy;
  int error;

  Replacement(const CallSite& where, void* buffer, MPI_Count count, MPI_Datatype type, int dest, int send_tag, int source, int receive_tag,
              MPI_Comm comm)
      : send{where, true, Mode::standard, buffer, count, type, dest, send_tag, comm},
        receive(receive_of(where, buffer, count, type, source, receive_tag, comm)) {
    Operation checked;
    error = prepare(send, checked);
    if (error != MPI_SUCCESS || count == 0 || dest == MPI_PROC_NULL || checked.layout->size == 0) return;
    MPI_Count room = 0, used = 0, position = 0;
    PMPI_Pack_size_c(count, type, comm, &room);
    std::vector<char> packed(static_cast<std::size_t>(room));
    PMPI_Pack_c(buffer, count, type, packed.data(), room, &used, comm);
    MPI_Aint lower = 0, span = 0;
    PMPI_Type_get_true_extent(type, &lower, &span);
    copy.resize(static_cast<std::size_t>(span) + static_cast<std::size_t>(count - 1) * static_cast<std::size_t>(checked.layout->extent));
    send.buffer = copy.data() - lower;
    PMPI_Unpack_c(packed.data(), used, &position, send.buffer, count, type, comm);
  }
};

}  // namespace
}  // namespace p2plab::probe

using namespace p2plab::probe;

#define P2PLAB_RECEIVES(suffix, Count)                                                                                   \
  P2PLAB_MPI int MPI_Recv##suffix(void* buffer, Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,      \
                                  MPI_Status* status) {                                                                  \
    return receive_now({"MPI_Recv" #suffix, P2PLAB_CALLER}, buffer, count, type, source, tag, comm, status);             \
  }                                                                                                                      \
  P2PLAB_MPI int MPI_Irecv##suffix(void* buffer, Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,     \
                                   MPI_Request* request) {                                                               \
    return transfer_later(receive_of({"MPI_Irecv" #suffix, P2PLAB_CALLER}, buffer, count, type, source, tag, comm), request); \
  }                                                                                                                      \
  P2PLAB_MPI int MPI_Recv_init##suffix(void* buffer, Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm, \
                                       MPI_Request* request) {                                                           \
    return transfer_init(receive_of({"MPI_Recv_init" #suffix, P2PLAB_CALLER}, buffer, count, type, source, tag, comm), request); \
  }                                                                                                                      \
  P2PLAB_MPI int MPI_Sendrecv##suffix(const void* out, Count out_count, MPI_Datatype out_type, int dest, int out_tag,    \
                                      void* in, Count in_count, MPI_Datatype in_type, int source, int in_tag,            \
                                      MPI_Comm comm, MPI_Status* status) {                                               \
    const CallSite where{"MPI_Sendrecv" #suffix, P2PLAB_CALLER};                                                         \
    return send_and_receive({where, true, Mode::standard, const_cast<void*>(out), out_count, out_type, dest, out_tag, comm}, \
                            receive_of(where, in, in_count, in_type, source, in_tag, comm), status);                     \
  }                                                                                                                      \
  P2PLAB_MPI int MPI_Sendrecv_replace##suffix(void* buffer, Count count, MPI_Datatype type, int dest, int send_tag,      \
                                              int source, int receive_tag, MPI_Comm comm, MPI_Status* status) {          \
    const Replacement both({"MPI_Sendrecv_replace" #suffix, P2PLAB_CALLER}, buffer, count, type, dest, send_tag, source, \
                           receive_tag, comm);                                                                           \
    return both.error != MPI_SUCCESS ? both.error : send_and_receive(both.send, both.receive, status);                   \
  }                                                                                                                      \
  P2PLAB_MPI int MPI_Isendrecv##suffix(const void* out, Count out_count, MPI_Datatype out_type, int dest, int out_tag,   \
                                       void* in, Count in_count, MPI_Datatype in_type, int source, int in_tag,           \
                                       MPI_Comm comm, MPI_Request* request) {                                            \
    const CallSite where{"MPI_Isendrecv" #suffix, P2PLAB_CALLER};                                                        \
    return exchange_later({where, true, Mode::standard, const_cast<void*>(out), out_count, out_type, dest, out_tag, comm}, \
                          receive_of(where, in, in_count, in_type, source, in_tag, comm), request);                      \
  }                                                                                                                      \
  P2PLAB_MPI int MPI_Isendrecv_replace##suffix(void* buffer, Count count, MPI_Datatype type, int dest, int send_tag,     \
                                               int source, int receive_tag, MPI_Comm comm, MPI_Request* request) {       \
    Replacement both({"MPI_Isendrecv_replace" #suffix, P2PLAB_CALLER}, buffer, count, type, dest, send_tag, source,      \
                     receive_tag, comm);                                                                                 \
    return both.error != MPI_SUCCESS ? both.error : exchange_later(both.send, both.receive, request, std::move(both.copy)); \
  }

P2PLAB_RECEIVES(, int)
P2PLAB_RECEIVES(_c, MPI_Count)
