// The sends, blocking and not, in all four modes.
#include "demos/probe/requests.h"

namespace p2plab::probe {
namespace {

Transfer send_of(const char* call, void* pc, Mode mode, const void* buffer, MPI_Count count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  return {{call, pc}, true, mode, const_cast<void*>(buffer), count, type, peer, tag, comm};
}

}  // namespace
}  // namespace p2plab::probe

using namespace p2plab::probe;

// One name, with int and with MPI_Count.
#define P2PLAB_SEND(name, mode)                                                                                        \
  P2PLAB_MPI int MPI_##name(const void* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {      \
    return transfer_now(send_of("MPI_" #name, P2PLAB_CALLER, mode, buffer, count, type, dest, tag, comm), MPI_STATUS_IGNORE); \
  }                                                                                                                    \
  P2PLAB_MPI int MPI_##name##_c(const void* buffer, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) { \
    return transfer_now(send_of("MPI_" #name "_c", P2PLAB_CALLER, mode, buffer, count, type, dest, tag, comm), MPI_STATUS_IGNORE); \
  }
#define P2PLAB_SEND_LATER(name, mode, how)                                                                             \
  P2PLAB_MPI int MPI_##name(const void* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,        \
                            MPI_Request* request) {                                                                    \
    return how(send_of("MPI_" #name, P2PLAB_CALLER, mode, buffer, count, type, dest, tag, comm), request);             \
  }                                                                                                                    \
  P2PLAB_MPI int MPI_##name##_c(const void* buffer, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, \
                                MPI_Request* request) {                                                                \
    return how(send_of("MPI_" #name "_c", P2PLAB_CALLER, mode, buffer, count, type, dest, tag, comm), request);        \
  }

P2PLAB_SEND(Send, Mode::standard)
P2PLAB_SEND(Bsend, Mode::buffered)
P2PLAB_SEND(Ssend, Mode::synchronous)
P2PLAB_SEND(Rsend, Mode::ready)
P2PLAB_SEND_LATER(Isend, Mode::standard, transfer_later)
P2PLAB_SEND_LATER(Ibsend, Mode::buffered, transfer_later)
P2PLAB_SEND_LATER(Issend, Mode::synchronous, transfer_later)
P2PLAB_SEND_LATER(Irsend, Mode::ready, transfer_later)
P2PLAB_SEND_LATER(Send_init, Mode::standard, transfer_init)
P2PLAB_SEND_LATER(Bsend_init, Mode::buffered, transfer_init)
P2PLAB_SEND_LATER(Ssend_init, Mode::synchronous, transfer_init)
P2PLAB_SEND_LATER(Rsend_init, Mode::ready, transfer_init)
