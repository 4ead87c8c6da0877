// Runs a rank program under the lab's launcher, and reads its feed.
#pragma once
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "app/launch/installation.h"
#include "app/launch/job.h"
#include "app/trace/control.h"
#include "app/trace/feed_reader.h"

namespace p2plab::test {

inline std::filesystem::path rank_program(const std::string& name) {
  return std::filesystem::path(P2PLAB_BUILD_DIR) / "tests" / name;
}

struct FinishedJob {
  launch::JobStatus status;
  trace::Trace trace;
  std::vector<std::string> out, err;  ///< by rank
  /// Judged by the ranks, too: mpiexec of MPICH 4.2 sometimes exits with 0 over one that failed.
  bool failed() const {
    return status.end != launch::JobEnd::finished || status.exit_status.value_or(1) != 0 ||
           std::any_of(status.ranks.begin(), status.ranks.end(), [](const auto& rank) { return rank.signal || rank.status.value_or(0) != 0; });
  }
  std::string text() const {
    std::string all = "end " + std::to_string(static_cast<int>(status.end));
    for (std::size_t r = 0; r < out.size(); ++r) all += "\nrank " + std::to_string(r) + ": " + out[r] + err[r];
    return all;
  }
  /// Spans of a lane, in order of arrival.
  std::vector<trace::Span> spans(int rank, std::string_view lane) const {
    std::vector<trace::Span> found;
    for (std::size_t i = 0; i < trace.spans().size(); ++i) {
      const trace::Span& span = trace.spans()[i];
      const trace::Track& track = trace.tracks()[span.track];
      if (track.rank == rank && trace.name(track.lane) == lane) found.push_back(span);
    }
    return found;
  }
};

/// `watch` is called at each poll with the control page and the trace so far; true ends the job.
inline FinishedJob run_ranks(launch::JobSpec spec,
                             const std::function<bool(trace::ControlPage&, const FinishedJob&)>& watch = {}) {
  FinishedJob result;
  launch::Job job(launch::Installation::find(), spec);
  const trace::Control control = trace::Control::open(job.directory());
  trace::FeedReader reader(job.directory(), spec.ranks, control.page().clock);
  bool running = true;
  while (running) {
    running = job.poll();
    while (reader.poll(result.trace) > 0) {
    }
    result.err.clear();
    for (int r = 0; r < spec.ranks; ++r) result.err.push_back(job.output(r, true).text());
    if (running && watch && watch(control.page(), result)) job.cancel();
    if (running) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (int r = 0; r < spec.ranks; ++r) result.out.push_back(job.output(r, false).text());
  result.status = job.status();
  return result;
}

inline launch::JobSpec ranks_of(const std::string& name, std::vector<std::string> arguments, int ranks = 2) {
  launch::JobSpec spec;
  spec.program = {rank_program("rank-runtime").string(), "--set", "case=" + name};
  spec.program.insert(spec.program.end(), arguments.begin(), arguments.end());
  spec.ranks = ranks;
  spec.limits.wall = std::chrono::seconds(30);
  return spec;
}

}  // namespace p2plab::test
