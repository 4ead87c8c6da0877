// Making, asking and ending a communicator.
#include "demos/p2p/nccl/communicator.h"

#include <fmt/format.h>

namespace p2p::nccl {

namespace {

std::string described(ncclResult_t code, const char* call, ncclComm_t comm) {
  const char* more = ncclGetLastError(comm);
  return fmt::format("{}: {} ({}){}{}", call, ncclGetErrorString(code), static_cast<int>(code), more != nullptr && *more != '\0' ? ": " : "",
                     more != nullptr ? more : "");
}

void tidy(ncclResult_t code, const char* call) noexcept {
  if (code != ncclSuccess && code != ncclInProgress) gpu::say_untidy(described(code, call, nullptr).c_str());
}

}  // namespace

void check(ncclResult_t code, const char* call, ncclComm_t comm) {
  if (code != ncclSuccess && code != ncclInProgress) throw BackendError(described(code, call, comm));
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
  tidy(state, "ncclCommFinalize");
  tidy(ncclCommDestroy(comm_), "ncclCommDestroy");
}

bool Communicator::ready() {
  const std::lock_guard lock(mutex_);
  if (gone_) return false;
  ncclResult_t state = ncclSuccess;
  check(ncclCommGetAsyncError(comm_, &state), "ncclCommGetAsyncError", comm_);
  if (state != ncclSuccess && state != ncclInProgress) check(state, fmt::format("{}, in progress", last_).c_str(), comm_);
  return state != ncclInProgress;
}

void Communicator::abort() noexcept {
  const std::lock_guard lock(mutex_);
  if (!gone_) tidy(ncclCommAbort(comm_), "ncclCommAbort");
  gone_ = true;
}

void group(Communicator& communicator, const char* what, const std::function<void(ncclComm_t)>& calls) {
  const std::lock_guard lock(communicator.mutex_);
  if (communicator.gone_) return;
  communicator.last_ = what;
  OpenGroup open;
  calls(communicator.get());
  open.close(communicator.get());
}

}  // namespace p2p::nccl
