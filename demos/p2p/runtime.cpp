// Joining and leaving the job, the control page, results and errors.
#include "demos/p2p/runtime.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "app/trace/error.h"
#include "app/trace/ring_size.h"
#include "demos/p2p/device_timeline.h"
#include "demos/p2p/waiting.h"

namespace p2p {

Runtime::Runtime(Options given)
    : options(std::move(given)), backend(load_backend(options)), hashing(options.hash), link_(is_virtual() ? LinkSpec{} : options.link) {
  sharpen_timers();
  if (!is_virtual()) {
    keep_cores_awake();
    share_cores(backend->size());
  }
  if (backend->streams_only()) options.nccl_semantics = true;
  if (const char* job = std::getenv("P2PLAB_JOB"); job != nullptr && *job != '\0') join(job);
  in_flight_lane_ = recorder.intern("in flight");
  world_comm_ = recorder.intern("WORLD");
  Lane::enter(recorder, "host");
  if (const auto it = options.knobs.find("nccl_buffer"); it != options.knobs.end()) {
    hidden_buffer_ = static_cast<std::size_t>(parse_amount("nccl_buffer", it->second));
  }
  if (const auto it = options.knobs.find("poll_ns"); it != options.knobs.end()) poll_ns_ = parse_amount("poll_ns", it->second);
  if (recorder.on() && backend->rank() == 0) note("mpi", backend->library());
  if (backend->device() != nullptr) {
    hidden_buffer_ = 0;  // emulated where the runtime carries the stream's messages only
    open_device();
  }
  plain_ = !options.nccl_semantics && !link_.emulated() && device_ == nullptr && !is_virtual();
}

void Runtime::join(const char* job) {
  try {
    control_ = p2plab::trace::Control::open(job);
    p2plab::trace::ClockScale clock = control_->page().clock;
    clock.virtual_now = backend->virtual_now();
    recorder = Recorder(job, backend->rank(), clock, p2plab::trace::ring_slots(), p2plab::trace::kPatienceNs);
  } catch (const p2plab::Error& error) {
    const bool full = error.text().id == "job.shm_full";
    fmt::print(stderr, "rank {}: the lab's live feed cannot be opened: {}.\n", backend->rank(),
               full ? fmt::format("there is no room left in {}; free some, or set P2PLAB_SHM to another directory in memory", job) : error.what());
    std::fflush(nullptr);
    // The others already wait for this rank: leaving without finalize makes mpiexec end them all.
    std::_Exit(1);
  }
}

Runtime::~Runtime() {
  try {
    for (auto& [name, stream] : streams_) {
      synchronize(record(*stream, Where{}), "finalize", Where{});
    }
    if (device_ != nullptr) close_device();
  } catch (const std::exception& error) {  // of the GPU
    fail(error);
  }
  streams_.clear();
  close_feed();
  // Leaving the job is what waits for the other ranks. Until then they may still fetch what lies in buffered_ and
  // abandoned_, so the backend goes before the payloads.
  backend.reset();
}

void Runtime::close_feed() {
  Lane::leave();
  recorder.finished();
}

Record Runtime::annotate(Kind kind, std::string_view name, const Where& where) {
  Record record;
  if (!recorder.on()) return record;
  record.kind = kind;
  record.name = recorder.intern(name);
  if (where.line() != 0) record.site = recorder.site(where);
  return record;
}

void Runtime::gate(const Where& where) {
  if (!control_) return;
  check_stop();
  auto& orders = control_->page().rank[static_cast<std::size_t>(backend->rank())];
  if (const std::int64_t delay = orders.delay_ns.load(std::memory_order_relaxed); delay > 0) {
    Record record = annotate(Kind::other, "delayed by the lab", where);
    record.flags = p2plab::trace::kPaced;
    const OpenSpan span(record);
    backend->sleep_until(backend->now_ns() + delay);
  }
  if (orders.step_credits.load(std::memory_order_relaxed) == 0) {
    const OpenSpan span(annotate(Kind::other, "waiting for a step", where));
    for (Backoff backoff; orders.step_credits.load(std::memory_order_relaxed) == 0; backoff.pause()) check_stop();
  }
  if (orders.step_credits.load(std::memory_order_relaxed) > 0) orders.step_credits.fetch_sub(1);
}

void Runtime::check_stop() {
  if (!control_ || control_->page().stop.load(std::memory_order_relaxed) == 0) return;
  std::call_once(leaving_, [this] {
    if (device_ != nullptr) abort_with_the_others();
    recorder.finished();
    std::fflush(nullptr);
    std::_Exit(0);
  });
}

// mpiexec kills all ranks when the first one leaves: none does before every one has ended its kernels, or time is up.
void Runtime::abort_with_the_others() {
  constexpr std::int64_t kPatienceNs = 1'500'000'000;  // less than the lab's own
  device_->abort();
  auto& page = control_->page();
  page.aborted.fetch_add(1);
  const std::int64_t until = p2plab::trace::monotonic_ns() + kPatienceNs;
  for (Backoff backoff; page.aborted.load() < page.ranks && p2plab::trace::monotonic_ns() < until;) backoff.pause();
}

Record Runtime::metric_record(std::string_view name, double value) {
  Record record;
  record.type = RecordType::metric;
  record.name = recorder.intern(name);
  record.value = std::bit_cast<std::uint64_t>(value);
  return record;
}

void Runtime::metric(std::string_view name, double value) {
  if (!recorder.on()) {
    fmt::print("rank {}: {} = {}\n", backend->rank(), name, value);
    return;
  }
  if (Lane::current().ring == nullptr) return;
  Lane::current().ring->push(metric_record(name, value));
}

void Runtime::note(std::string_view name, std::string_view text) {
  if (!recorder.on()) {
    fmt::print("rank {}: {}: {}\n", backend->rank(), name, text);
    return;
  }
  if (Lane::current().ring == nullptr) return;
  Record record;
  record.type = RecordType::note;
  record.name = recorder.intern(name);
  record.site = recorder.intern(text);
  Lane::current().ring->push(record);
}

void Runtime::fail(const std::exception& error) {
  if (recorder.on()) note("error", error.what());
  fmt::print(stderr, "rank {}: {}\n", backend->rank(), error.what());
  std::fflush(nullptr);
  recorder.finished();
  if (device_ != nullptr) device_->abort();
  // The other ranks may wait for this one inside finalize: leaving without it makes mpiexec end them all.
  std::_Exit(1);
}

int run(int argc, char** argv, const std::function<void(World&)>& body, Needs needs) {
  try {
    World world(argc, argv, needs);
    try {
      body(world);
    } catch (const std::exception& error) {
      world.fail(error);
    }
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return error.exit_status();
  } catch (const std::exception& error) {
    fmt::print(stderr, "The rank could not start: {}.\n", error.what());
    return 1;
  }
}

}  // namespace p2p
