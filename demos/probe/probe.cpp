// The feed is opened when the library is loaded: so the lab can tell a program that never calls MPI from one that was
// never watched.
#include "demos/probe/probe.h"

#include <pthread.h>
#include <sys/auxv.h>

#include <cstdlib>
#include <filesystem>
#include <new>

#include "app/trace/error.h"
#include "app/trace/ring_size.h"
#include "demos/p2p/waiting.h"
#include "demos/probe/thread.h"

namespace p2plab::probe {
namespace {

const char* job_directory() {
  const char* job = std::getenv("P2PLAB_JOB");
  return job != nullptr && *job != '\0' ? job : nullptr;
}

// A preloaded library is also loaded into shells and helpers on the way to the program; they leave the feed alone.
bool is_the_program() {
  const char* wanted = std::getenv("P2PLAB_PROBE_PROGRAM");
  if (wanted == nullptr) return true;
  std::error_code ignored;
  return std::filesystem::equivalent("/proc/self/exe", wanted, ignored);
}

__attribute__((constructor)) void loaded() {
  const char* rank = std::getenv("PMI_RANK");
  if (job_directory() == nullptr || rank == nullptr || !is_the_program()) return;
  Probe::get().open_feed(std::atoi(rank));
}

}  // namespace

Probe& Probe::make() {
  alignas(Probe) static std::byte memory[sizeof(Probe)];
  static Probe* const probe = new (memory) Probe;
  return *(instance_ = probe);
}

Probe::Probe() {
  orders.hashes = 0;
  ::pthread_atfork(nullptr, nullptr, [] { Probe::get().leave_feed(); });
}

void Probe::open_feed(int feed_rank) {
  const char* job = job_directory();
  if (job == nullptr || recorder.on()) return;
  const std::filesystem::path directory = job;
  if (std::filesystem::exists(directory / ("rank-" + std::to_string(feed_rank) + ".feed"))) return;
  try {
    control = trace::Control::open(directory);
    recorder = trace::Recorder(directory, feed_rank, control->page().clock, trace::ring_slots(), trace::kPatienceNs);
    orders = control->page().probe;
    seed = control->page().seed;
    in_flight = recorder.intern("in flight");
  } catch (const Error&) {
    recorder = trace::Recorder();  // the lab will miss this feed, and say so
  }
}

void Probe::leave_feed() {
  // The parent's mappings stay as they are; the child only forgets them.
  new (&recorder) trace::Recorder();
  Thread::current().leave();
}

// The threads that MPI has made for itself: those that come later are the program's, and may call MPI.
void Probe::note_threads() {
  std::string ids;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", ignored)) ids += (ids.empty() ? "" : ",") + entry.path().filename().string();
  note("threads-of-mpi", ids);
}

void Probe::start(int provided) {
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  threads = provided > MPI_THREAD_FUNNELED;
  int found = 0;
  int* limit = nullptr;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &limit, &found);
  if (found != 0) tag_limit = *limit;
  open_feed(rank);
  p2p::sharpen_timers();
  p2p::share_cores(size);
  if (threads) note_threads();
  unhindered = orders.access == 0 && orders.hashes == 0 && orders.delay_us == 0;
  stepping = control && rank < trace::kMaxControlledRanks && control->page().rank[rank].step_credits.load() >= 0;
  if (stepping) unhindered = false;
  initialized.store(true, std::memory_order_release);
  recorder.initialized();
}

}  // namespace p2plab::probe
