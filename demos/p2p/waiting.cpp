// Spin, yield, nap.
#include "demos/p2p/waiting.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "app/trace/clock.h"

namespace p2p {
namespace {

constexpr int kPolls = 64;  ///< the first ones without a look at the clock: a short message is over by then
constexpr int kPollsALook = 8;
constexpr std::int64_t kSpinNs = 20'000;
constexpr std::int64_t kYieldNs = 50'000'000;
constexpr std::int64_t kLongYieldNs = 500'000;  ///< a longer one has let somebody compute: the machine is crowded,
constexpr std::int64_t kCrowdedNs = 100'000'000;  ///< for so long, and who comes back by a timer waits less than who yields
constexpr std::int64_t kNapNs = 50'000;
constexpr std::int64_t kLateNs = 80'000, kSharedLateNs = 20'000;  ///< what a timer's wake-up may cost
constexpr int kLooks = 4;  ///< polls after each nap: a rendezvous takes several steps, and a nap between them would be paid each time

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

std::atomic<bool> g_shares{false};  ///< more ranks than cores
std::atomic<std::int64_t> g_crowded_until_ns{0};  ///< of this process's threads, whoever noticed it

bool crowded(std::int64_t now) { return now < g_crowded_until_ns.load(std::memory_order_relaxed); }

void yield(std::int64_t now) {
  ::sched_yield();
  const std::int64_t after = p2plab::trace::monotonic_ns();
  if (after - now > kLongYieldNs) g_crowded_until_ns.store(after + kCrowdedNs, std::memory_order_relaxed);
}

}  // namespace

void Backoff::pause(std::int64_t wake_ns) {
  const bool shares = g_shares.load(std::memory_order_relaxed);
  // A look at the clock costs as much as a poll of MPI.
  if (wake_ns == 0 && brief_ && !shares && (++polls_ < kPolls || polls_ % kPollsALook != 0)) return;
  const std::int64_t now = p2plab::trace::monotonic_ns();
  if (begin_ns_ == 0) begin_ns_ = now;
  if (wake_ns != 0) {
    if (wake_ns - now > kSpinNs) sleep_until_ns(wake_ns);
    return;
  }
  brief_ = now - begin_ns_ < kSpinNs;
  if (brief_ && !shares) return relax();
  if (looks_ > 0) {
    --looks_;
    return;
  }
  if (now - begin_ns_ < kYieldNs && !crowded(now)) {
    yield(now);
    return;
  }
  napping_ = true;
  looks_ = kLooks - 1;
  sleep_until_ns(now + kNapNs);
}

void share_cores(int ranks) {
  cpu_set_t cores;  // those that this process may use
  g_shares = ::sched_getaffinity(0, sizeof cores, &cores) == 0 && ranks > CPU_COUNT(&cores);
}

void sharpen_timers() { ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); }

bool keep_cores_awake() {
  // Of the kernel's PM QoS interface: holds for as long as the file is open.
  static const int fd = ::open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
  constexpr std::int32_t kLatencyUs = 0;
  return fd >= 0 && ::write(fd, &kLatencyUs, sizeof kLatencyUs) == sizeof kLatencyUs;
}

void sleep_until_ns(std::int64_t monotonic_ns) {
  const timespec until{monotonic_ns / 1'000'000'000, monotonic_ns % 1'000'000'000};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

void wait_until_ns(std::int64_t monotonic_ns) {
  const std::int64_t late_ns = g_shares.load(std::memory_order_relaxed) ? kSharedLateNs : kLateNs;
  if (monotonic_ns - p2plab::trace::monotonic_ns() > late_ns) sleep_until_ns(monotonic_ns - late_ns);
  while (p2plab::trace::monotonic_ns() < monotonic_ns) relax();
}

}  // namespace p2p
