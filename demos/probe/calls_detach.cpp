// The buffer of buffered sends: how large it is, and MPI_Buffer_detach, which waits inside MPI until every buffered message has left (MPI 4.1, section 3.6). That it goes on looking
// is seen by the time its thread uses.
#include <pthread.h>

#include <atomic>
#include <ctime>
#include <string>

#include "demos/p2p/waiting.h"
#include "demos/probe/findings.h"

namespace p2plab::probe {
namespace {

std::int64_t clock_us(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * 1'000'000LL + now.tv_nsec / 1000;
}

/// While one lives, the thread that made it counts as blocked in `call`; its polls are the microseconds it has run.
class BlockedInMpi {
 public:
  explicit BlockedInMpi(const Call& call) : ring_(Thread::current().ring()) {
    if (ring_ == nullptr || pthread_getcpuclockid(pthread_self(), &clock_) != 0) return;
    ring_->blocked(call.id());
    // Not std::thread: whose thread it is, the access checker sees by who calls pthread_create.
    counts_ = pthread_create(&counter_, nullptr, &count, this) == 0;
  }
  ~BlockedInMpi() {
    if (ring_ == nullptr) return;
    over_.store(true);
    if (counts_) pthread_join(counter_, nullptr);
    ring_->running();
  }
  BlockedInMpi(const BlockedInMpi&) = delete;
  BlockedInMpi& operator=(const BlockedInMpi&) = delete;

 private:
  static void* count(void* self) {
    const auto& blocked = *static_cast<BlockedInMpi*>(self);
    std::int64_t counted = clock_us(blocked.clock_);
    for (p2p::Backoff backoff; !blocked.over_.load(); backoff.pause()) {
      for (const std::int64_t now = clock_us(blocked.clock_); counted < now; ++counted) blocked.ring_->polled();
    }
    return nullptr;
  }

  trace::RingWriter* ring_ = nullptr;
  clockid_t clock_{};
  pthread_t counter_{};
  bool counts_ = false;
  std::atomic<bool> over_{false};
};

template <class Attach>
int attach_buffer(const CallSite& where, MPI_Count size, Attach attach) {
  const int code = check(attach(), where, nullptr);
  if (code != MPI_SUCCESS || size < 0) return code;
  Record record;
  record.bytes = static_cast<std::uint64_t>(size);
  record.value = Probe::get().recorder.intern(std::to_string(MPI_BSEND_OVERHEAD));  // of each message in it
  const Call call(where, record);
  return code;
}

template <class Detach>
int detach_buffer(const CallSite& where, Detach detach) {
  Record record;
  record.kind = trace::Kind::wait;
  const Call call(where, record);
  const BlockedInMpi blocked(call);
  return detach();
}

}  // namespace
}  // namespace p2plab::probe

using namespace p2plab::probe;

P2PLAB_MPI int MPI_Buffer_attach(void* buffer, int size) {
  return attach_buffer({"MPI_Buffer_attach", P2PLAB_CALLER}, size, [&] { return PMPI_Buffer_attach(buffer, size); });
}
P2PLAB_MPI int MPI_Buffer_attach_c(void* buffer, MPI_Count size) {
  return attach_buffer({"MPI_Buffer_attach_c", P2PLAB_CALLER}, size, [&] { return PMPI_Buffer_attach_c(buffer, size); });
}
P2PLAB_MPI int MPI_Buffer_detach(void* buffer, int* size) {
  return detach_buffer({"MPI_Buffer_detach", P2PLAB_CALLER}, [&] { return PMPI_Buffer_detach(buffer, size); });
}
P2PLAB_MPI int MPI_Buffer_detach_c(void* buffer, MPI_Count* size) {
  return detach_buffer({"MPI_Buffer_detach_c", P2PLAB_CALLER}, [&] { return PMPI_Buffer_detach_c(buffer, size); });
}
