// Making, asking and ending a communicator.
#include "demos/p2p/nccl/communicator.h"

#include <fmt/format.h>

namespace p2p::nccl {

void check(ncclResult_t code, const char* call, ncclComm_t comm) {
  if (code == ncclSuccess || code == ncclInProgress) return;
  const char* more = ncclGetLastError(comm);
  throw BackendError(fmt::format("{}: {} ({}){}{}", call, ncclGetErrorString(code), static_cast<int>(code),
                                 more != nullptr && *more != '\0' ? ": " : "", more != nullptr ? more : ""));
}

Communicator::Communicator(const ncclUniqueId& id, int ranks, int rank) {
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  check(ncclCommInitRankConfig(&comm_, ranks, id, rank, &config), "ncclCommInitRankConfig");
}

Communicator::~Communicator() {
  if (comm_ == nullptr || gone_) return;
  // Both may be in progress for a while; the process is about to leave, so the second is not waited for.
  ncclResult_t state = ncclCommFinalize(comm_);
  while (state == ncclInProgress && ncclCommGetAsyncError(comm_, &state) == ncclSuccess) {
  }
  ncclCommDestroy(comm_);
}

bool Communicator::ready() {
  ncclResult_t state = ncclSuccess;
  check(ncclCommGetAsyncError(comm_, &state), "ncclCommGetAsyncError", comm_);
  check(state, "NCCL", comm_);
  return state != ncclInProgress;
}

void Communicator::abort() noexcept {
  if (!gone_) ncclCommAbort(comm_);
  gone_ = true;
}

void group(Communicator& communicator, const std::function<void(ncclComm_t)>& calls) {
  check(ncclGroupStart(), "ncclGroupStart");
  try {
    calls(communicator.get());
  } catch (const BackendError&) {
    ncclGroupEnd();  // the group must not stay open; what it would say is known
    throw;
  }
  check(ncclGroupEnd(), "ncclGroupEnd", communicator.get());
}

}  // namespace p2p::nccl
