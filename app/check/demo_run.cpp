// Drives one job: feed into trace, trace into messages and wait-for graph, the end into a verdict.
#include "app/check/demo_run.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>
#include <utility>

#include "app/analysis/matching.h"
#include "app/check/gpu_info.h"
#include "app/check/file_limit.h"
#include "app/check/judge.h"
#include "app/check/links.h"
#include "app/check/machine.h"
#include "app/check/metrics.h"
#include "app/check/sim_server.h"
#include "app/launch/job_directory.h"
#include "app/trace/control.h"
#include "app/trace/feed_reader.h"
#include "app/trace/other_build.h"

namespace p2plab::check {

namespace {

constexpr std::string_view kSim = "sim";
constexpr std::chrono::seconds kToAbort{2};  ///< what ranks with a GPU get to end their kernels (ncclCommAbort on every rank)
constexpr std::chrono::seconds kAfterFailure{3};  ///< what mpiexec gets to end the other ranks by itself
constexpr trace::Ns kMetricsEvery = 250'000'000;  ///< of the run's time: metrics cost a pass over the trace

std::filesystem::path program_of(const launch::Installation& installation, const RunRequest& request) {
  auto program = request.program.empty() ? installation.lib() / ("demo-" + request.demo) : request.program;
  if (!std::filesystem::exists(program)) throw Error("run.no_program", {{"path", program.string()}});
  return program;
}

std::filesystem::path links_of(const launch::Installation& installation, const RunRequest& request) {
  return request.links.empty() ? installation.assets() / "links.toml" : request.links;
}

/// The argument array that every rank understands (demos/p2p/world.h).
std::vector<std::string> arguments(const launch::Installation& installation, const RunRequest& request) {
  std::vector<std::string> out{program_of(installation, request).string(), "--backend", request.backend,
                               "--semantics", request.semantics, "--link",
                               link_argument(load_links(links_of(installation, request)), request.link),
                               "--compute", request.compute, "--seed", std::to_string(request.seed)};
  if (request.strict) out.push_back("--strict");
  for (const auto& [id, value] : request.knobs) {
    out.push_back("--set");
    out.push_back(id + "=" + value);
  }
  return out;
}

launch::JobSpec job_spec(const launch::Installation& installation, const RunRequest& request, int least_ranks) {
  launch::JobSpec spec;
  spec.program = arguments(installation, request);
  require_backend(installation, request.backend, request.ranks, least_ranks);
  spec.ranks = request.ranks;
  spec.seed = request.seed;
  spec.limits.wall = std::chrono::milliseconds(static_cast<std::int64_t>(request.timeout_s * 1000));
  spec.without_mpi = request.backend == kSim;
  if (request.backend == kSim) spec.orders = [](trace::ControlPage& page) { page.clock = trace::ClockScale{}; };  // ticks are ns
  if (request.adjust) request.adjust(spec);
  return spec;
}

/// The modelled link of the virtual world.
schedule::LinkCost link_cost(const launch::Installation& installation, const RunRequest& request) {
  schedule::LinkCost cost;
  const auto eager = request.knobs.find("eager_limit");
  cost.eager_limit = eager == request.knobs.end() ? kSimEagerLimit : static_cast<std::uint64_t>(parse_amount(eager->second).value_or(0));
  for (const Link& link : load_links(links_of(installation, request)))
    if (link.id == request.link) {
      cost.latency_ns = link.alpha_ns;
      cost.bytes_per_s = link.bytes_per_s;
    }
  return cost;
}

trace::RunInfo run_info(const RunRequest& request, const launch::JobSpec& spec) {
  trace::RunInfo info;
  for (const std::string& word : spec.program) info.command += (info.command.empty() ? "" : " ") + word;
  info.demo = request.demo;
  info.backend = request.backend;
  info.semantics = request.semantics;
  info.link = request.link;
  info.compute = request.compute;
  info.version = P2PLAB_VERSION;
  info.machine = std::to_string(usable_cores()) + " cores";
  if (request.backend != kSim) info.mpi = mpi_name();
  info.knobs = request.knobs;
  info.ranks = request.ranks;
  info.seed = request.seed;
  info.strict = request.strict;
  return info;
}

}  // namespace

struct DemoRun::Impl {
  DemoManifest demo;
  RunRequest request;
  launch::JobSpec spec;
  launch::Job job;
  std::optional<SimServer> world;  ///< of the backend sim
  trace::Trace trace;
  trace::FeedReader reader;
  analysis::Matcher matcher;
  analysis::DeadlockWatch watch;
  std::optional<analysis::Finding> deadlock;
  RunResult result;
  trace::Ns measured_at = 0;
  std::size_t metrics_seen = 0;
  bool ended = false;      ///< the job is over; records may still wait
  bool cancelled = false;
  bool shm_full = false;   ///< a thread of a rank found no room to record in
  std::optional<std::chrono::steady_clock::time_point> failed_at;  ///< when a rank was first seen to have ended badly
  bool left_waiting = false;  ///< its end did not end the others, so the lab did
  bool finished = false;
  std::future<RunResult> judging;  ///< last: it reads all of the above

  Impl(const launch::Installation& installation, const DemoManifest& manifest, RunRequest wanted)
      : demo(manifest),
        request(complete(manifest, std::move(wanted))),
        spec(job_spec(installation, request, demo.min_ranks)),
        job(installation, spec),
        world(virtual_world(installation)),
        reader(job.directory(), request.ranks, clock()) {
    trace.run = run_info(request, spec);
    trace.run.clock_error_ns = clock().error_ns;
    result.cores = usable_cores();
    result.machine_mpi = mpi_name();
    result.metrics = nlohmann::ordered_json::object();
  }

  std::optional<SimServer> virtual_world(const launch::Installation& installation) {
    if (request.backend != kSim) return std::nullopt;
    return std::optional<SimServer>(std::in_place, job.directory(), request.ranks, link_cost(installation, request));
  }
  trace::ClockScale clock() const {
    trace::ClockScale scale = trace::Control::open(job.directory()).page().clock;
    if (world) scale.virtual_now = &world->now();
    return scale;
  }

  /// Times of a GPU's events are as exact as its anchors, which the ranks tell as they set them.
  void follow_clock() {
    for (; metrics_seen < trace.metrics().size(); ++metrics_seen) {
      const trace::Metric& metric = trace.metrics()[metrics_seen];
      if (trace.name(metric.name) != "gpu_clock_error_ns") continue;
      trace.run.clock_error_ns = std::max(trace.run.clock_error_ns, static_cast<trace::Ns>(metric.value));
    }
  }

  /// Moves records; true when there may be more of them.
  bool read(std::size_t budget, bool& changed) {
    const auto before = trace.revision();
    const std::size_t moved = reader.poll(trace, budget);
    if (moved > 0) {
      matcher.update(trace);
      follow_clock();
    }
    changed = changed || moved > 0 || trace.revision() != before;
    return moved >= budget;
  }

  /// mpiexec ends the others when a rank fails, except one that has not yet come to MPI_Init: those would wait for it
  /// until the wall limit.
  bool waits_for_the_failed() {
    const auto& ranks = job.status().ranks;
    const bool failed = std::any_of(ranks.begin(), ranks.end(), [](const auto& end) { return end.signal || end.status.value_or(0) != 0; });
    const auto now = std::chrono::steady_clock::now();
    if (failed && !failed_at) failed_at = now;
    return failed_at && now - *failed_at > kAfterFailure;
  }

  /// A kernel that waits for its peer outlives the process that is killed, so the ranks are asked to leave first.
  void abort_kernels() {
    if (request.backend != "nccl" && request.backend != "cuda") return;
    trace::Control::open(job.directory()).page().stop = 1;
    const auto until = std::chrono::steady_clock::now() + kToAbort;
    while (job.poll() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  /// The verdict on a large trace takes seconds (the strict replay), and a window that polls must not stand still for
  /// it. From here on nothing changes what the judge reads.
  void conclude(std::chrono::milliseconds patience) {
    if (!judging.valid()) {
      std::vector<std::string> words;  // a window may read the output at the same time
      for (int rank = 0; rank < request.ranks; ++rank) words.push_back(last_words(job.output(rank, true).text()));
      judging = std::async(std::launch::async, [this, words = std::move(words)] {
        const auto last = [&](int rank) { return words.at(static_cast<std::size_t>(rank)); };
        const Evidence evidence{trace, job.status(), deadlock, watch.detect_ns(), reader.finished(), cancelled, last, shm_full, left_waiting,
                                trace::other_build(job.directory()), file_limit(spec.limits.file_bytes)};
        return judge(demo, request, evidence);
      });
    }
    if (judging.wait_for(patience) != std::future_status::ready) return;
    RunResult judged = judging.get();
    judged.cores = result.cores;
    judged.machine_mpi = result.machine_mpi;
    judged.warnings = warnings(request, result.cores, judged.metrics);
    if (trace.found_full() > 0) judged.warnings.push_back({"warning.held_up", {}});
    result = std::move(judged);
    finished = true;
  }
};

DemoRun::DemoRun(const launch::Installation& installation, const DemoManifest& demo, RunRequest request)
    : impl_(std::make_unique<Impl>(installation, demo, std::move(request))) {}
DemoRun::~DemoRun() = default;

bool DemoRun::poll(std::size_t budget) {
  Impl& run = *impl_;
  if (run.finished) return false;
  if (run.judging.valid()) {
    run.conclude(std::chrono::milliseconds(0));
    return run.finished;
  }
  bool changed = false;
  // The job's state is taken before the feed is read: what it wrote before its end is then read after it.
  if (!run.ended) run.ended = !run.job.poll();
  const bool standstill = run.world && run.world->stuck();  // before the feed, too: then it holds all there will be
  const bool more = run.read(budget, changed);
  if (!run.ended && !more) {
    run.deadlock = run.watch.update(run.trace, standstill);
    if (run.deadlock) {
      run.abort_kernels();
      run.job.cancel();
      run.ended = true;
      changed = true;
    }
  }
  if (!run.ended && run.waits_for_the_failed()) {
    run.left_waiting = true;
    run.job.cancel();
    run.ended = true;
  }
  if (!run.shm_full && !run.trace.unrecorded().empty() && !launch::room_for_a_ring()) {
    // What such a thread does is not seen, so no verdict can come of it, even if the run was over before this was noticed.
    run.shm_full = true;
    if (!run.ended) run.job.cancel();
    run.ended = true;
  }
  if (run.ended && !more) {
    run.conclude(std::chrono::milliseconds(5));
    return true;
  }
  if (run.trace.now() - run.measured_at >= kMetricsEvery) {
    run.measured_at = run.trace.now();
    run.result.metrics = metrics(run.demo, run.request, run.trace);
  }
  return changed;
}

std::chrono::milliseconds DemoRun::rest() const { return impl_->reader.rest(); }
bool DemoRun::finished() const { return impl_->finished; }
bool DemoRun::judging() const { return impl_->judging.valid(); }

void DemoRun::cancel() {
  Impl& run = *impl_;
  if (run.ended) return;
  run.cancelled = true;
  run.job.cancel();
  run.ended = true;
}

const DemoManifest& DemoRun::demo() const { return impl_->demo; }
const RunRequest& DemoRun::request() const { return impl_->request; }
const std::filesystem::path& DemoRun::directory() const { return impl_->job.directory(); }
const trace::Trace& DemoRun::trace() const { return impl_->trace; }
trace::Trace DemoRun::take_trace() { return std::exchange(impl_->trace, trace::Trace{}); }
const analysis::WaitForGraph& DemoRun::wait_for() const { return impl_->watch.graph(); }
const launch::RankOutput& DemoRun::output(int rank, bool standard_error) const { return impl_->job.output(rank, standard_error); }
const RunResult& DemoRun::result() const { return impl_->result; }
const SimWitness* DemoRun::witness() const { return impl_->finished && impl_->world ? &impl_->world->end() : nullptr; }

}  // namespace p2plab::check
