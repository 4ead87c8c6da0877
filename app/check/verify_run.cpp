// See verify_run.h.
#include "app/check/verify_run.h"

#include <algorithm>

#include "app/analysis/collectives.h"
#include "app/analysis/matching.h"
#include "app/analysis/wait_for.h"
#include "app/check/file_limit.h"
#include "app/check/judge.h"
#include "app/check/silent_threads.h"
#include "app/trace/feed_reader.h"
#include "app/trace/other_build.h"

namespace p2plab::check {

namespace {

constexpr trace::Ns kSettleNs = 15'000'000;           ///< after the proof of a deadlock: other ranks may be about to join it
constexpr trace::Ns kGraceNs = 30'000'000;            ///< after a rank has stopped for good: others may have the same to say
constexpr trace::Ns kFinalizeNs = 1'500'000'000;      ///< all ranks are in MPI_Finalize and none comes out
constexpr trace::Ns kLeakedNs = 200'000'000;          ///< the same when a rank has left requests behind: MPI may wait for them
constexpr trace::Ns kLivelockEveryNs = 100'000'000;   ///< between two looks at what polls
constexpr trace::Ns kLookEveryNs = 5'000'000;         ///< while records keep coming
constexpr std::uint64_t kMostFileBytes = 2ull << 30;  ///< of one file that a rank writes
constexpr std::uint64_t kMostProcesses = 64;          ///< of each rank, its own and the launcher's for it
constexpr std::size_t kMostKept = 16u << 20, kLeastKept = 1u << 20, kKeptOfAll = 256u << 20;  ///< bytes of output kept of a stream, and of all

launch::JobSpec verify_job(const launch::Installation& installation, const VerifyRunSpec& spec) {
  launch::JobSpec job;
  job.program = {spec.program.string()};
  job.program.insert(job.program.end(), spec.arguments.begin(), spec.arguments.end());
  job.ranks = spec.ranks;
  job.seed = spec.seed;
  job.limits.wall = std::chrono::milliseconds(static_cast<std::int64_t>(spec.timeout_s * 1000));
  job.limits.memory_bytes = 4ull << 30;
  job.limits.file_bytes = file_limit(kMostFileBytes);
  job.limits.processes = kMostProcesses * static_cast<std::uint64_t>(spec.ranks);
  job.limits.output_bytes = std::clamp(kKeptOfAll / static_cast<std::size_t>(spec.ranks), kLeastKept, kMostKept);
  job.orders = [orders = spec.orders](trace::ControlPage& page) { page.probe = orders; };
  if (spec.preload) {
    job.environment["LD_PRELOAD"] = (installation.lib() / "libp2plab-probe.so").string();
    job.environment["P2PLAB_PROBE_PROGRAM"] = spec.program.string();
  }
  if (spec.adjust) spec.adjust(job);
  return job;
}

}  // namespace

struct VerifyRun::Impl {
  VerifyRunSpec spec;
  std::uint64_t file_bytes = 0;
  launch::Job job;
  trace::FeedReader reader;
  analysis::Matcher matcher;
  analysis::DeadlockWatch deadlocks;
  analysis::LivelockWatch livelocks{spec.polling_ns != 0 ? spec.polling_ns : std::min(kPollingNs, static_cast<trace::Ns>(spec.timeout_s * 5e8))};
  analysis::CollectiveCheck collectives;
  SilentThreads silent;
  VerifyEvidence seen;
  trace::Ns begin = trace::monotonic_ns();
  trace::Ns proven_at = 0, stopped_at = 0, all_finished_at = 0, looked_at = 0, decided_at = 0;
  bool ended = false, over = false, flooded = false;

  Impl(const launch::Installation& installation, const VerifyRunSpec& wanted, SourceLines& lines)
      : spec(wanted), job(installation, noted(verify_job(installation, wanted))), reader(job.directory(), wanted.ranks, clock_of(job)) {
    reader.resolve_sites([&lines](std::string_view addresses) { return lines(addresses); });
    seen.trace.run.ranks = spec.ranks;
    seen.trace.run.seed = spec.seed;
    seen.trace.run.strict = spec.orders.strict != 0;
    seen.trace.run.backend = "mpi";
    seen.trace.run.semantics = "mpi";
    seen.trace.run.command = spec.program.string();
    seen.trace.run.clock_error_ns = clock_of(job).error_ns;
  }
  launch::JobSpec noted(launch::JobSpec wanted) {
    file_bytes = wanted.limits.file_bytes;
    return wanted;
  }
  static trace::ClockScale clock_of(const launch::Job& job) { return trace::Control::open(job.directory()).page().clock; }

  void end_job() {
    job.cancel();
    ended = true;
  }

  /// True when nothing that is still to come could change the run's fate.
  bool is_decided(trace::Ns now) {
    if (seen.trace.spans().size() > spec.most_spans) seen.overlong = spec.most_spans;
    if (seen.overlong != 0) return true;
    if (!seen.collective) seen.collective = collectives.update(seen.trace);
    const auto& reported = seen.trace.reported();
    const bool stopped = seen.collective || std::any_of(reported.begin(), reported.end(), [](const trace::Reported& r) { return r.ends; });
    if (stopped && stopped_at == 0) stopped_at = now;
    if (stopped_at != 0 && now - stopped_at > kGraceNs) return true;
    if (stopped_at == 0) {
      silent.park(job, reader, seen.trace);
      auto proof = deadlocks.update(seen.trace);
      if (proof && silent.may_move(job, reader, seen.trace)) {
        deadlocks = analysis::DeadlockWatch();  // to be proven again once those threads stand still, too
      } else if (proof) {
        seen.deadlock = std::move(proof);
        seen.detect_ns = deadlocks.detect_ns();
        proven_at = now;
      }
    }
    if (seen.deadlock && now - proven_at > kSettleNs) {
      if (!deadlocks.graph().stuck.empty()) seen.deadlock = analysis::deadlock_finding(seen.trace, deadlocks.graph());
      return true;
    }
    if (now - looked_at > kLivelockEveryNs) {
      looked_at = now;
      seen.livelock = livelocks.update(seen.trace);
      seen.ended_polling = seen.livelock && spec.polling_ns != 0;
      if (seen.ended_polling) return true;
      for (int rank = 0; rank < spec.ranks; ++rank) {
        flooded = flooded || job.output(rank, false).cut_bytes > spec.most_output || job.output(rank, true).cut_bytes > spec.most_output;
      }
      if (flooded) return true;
    }
    if (reader.finished() == spec.ranks && reader.finalized() == 0) {
      if (all_finished_at == 0) all_finished_at = now;
      const bool leaks = std::any_of(reported.begin(), reported.end(), [this](const trace::Reported& r) { return seen.trace.name(r.kind) == "request-leak"; });
      if (now - all_finished_at > (leaks ? kLeakedNs : kFinalizeNs)) return true;
    }
    return false;
  }

  /// Output that was not kept cannot be judged.
  void note_flood(int rank, bool standard_error) {
    const launch::RankOutput& output = job.output(rank, standard_error);
    const std::uint64_t kept = output.head.size() + output.tail.size();
    if (output.cut_bytes == 0 || (seen.flood && seen.flood->bytes >= kept + output.cut_bytes)) return;
    seen.flood = VerifyEvidence::Flood{rank, standard_error, kept + output.cut_bytes, flooded ? spec.most_output : kept, flooded};
  }

  void conclude() {
    over = true;
    matcher.update(seen.trace);
    if (!seen.collective) seen.collective = collectives.update(seen.trace);
    seen.job = job.status();
    seen.file_limit = file_limit(file_bytes);
    seen.wall_ns = trace::monotonic_ns() - begin;
    seen.attached = reader.attached();
    for (int rank = 0; rank < spec.ranks; ++rank) {
      seen.initialized.push_back(reader.initialized(rank));
      seen.finished.push_back(reader.finished(rank));
      seen.finalized.push_back(reader.finalized(rank));
      seen.output.push_back(job.output(rank, false).text());
      seen.last_words.push_back(last_words(job.output(rank, true).text()));
      for (const bool standard_error : {false, true}) note_flood(rank, standard_error);
    }
    seen.other_build = trace::other_build(job.directory());
    seen.launcher_words = last_words(job.output(-1, true).text());
  }
};

VerifyRun::VerifyRun(const launch::Installation& installation, const VerifyRunSpec& spec, SourceLines& lines)
    : impl_(std::make_unique<Impl>(installation, spec, lines)) {}
VerifyRun::~VerifyRun() = default;

bool VerifyRun::poll() {
  Impl& run = *impl_;
  if (run.over) return false;
  constexpr std::size_t kBudget = 65536;
  if (!run.ended) run.ended = !run.job.poll();
  const bool more = run.reader.poll(run.seen.trace, kBudget) >= kBudget;
  const trace::Ns now = trace::monotonic_ns();
  if (more && (run.ended || now - run.decided_at < kLookEveryNs)) return true;
  run.decided_at = now;
  if (!run.ended && run.is_decided(now)) {
    run.end_job();
    return true;  // once more, for what was written meanwhile
  }
  if (run.ended && !more) run.conclude();
  return !run.over;
}

void VerifyRun::cancel() {
  Impl& run = *impl_;
  if (run.over) return;
  run.seen.cancelled = true;
  run.end_job();
  while (poll()) {
  }
}

const std::filesystem::path& VerifyRun::directory() const { return impl_->job.directory(); }
const trace::Trace& VerifyRun::trace() const { return impl_->seen.trace; }
VerifyEvidence VerifyRun::take() { return std::move(impl_->seen); }

}  // namespace p2plab::check
