// One run of a program under the profiling layer: started, watched live, ended when its fate is proven.
#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "app/check/source_lines.h"
#include "app/check/verify.h"
#include "app/launch/job.h"

namespace p2plab::check {

/// So long without anything that could come is worth a word; a program may still give up by its own clock, so it proves nothing.
constexpr trace::Ns kPollingNs = 5'000'000'000;

struct VerifyRunSpec {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  int ranks = 2;
  std::uint64_t seed = 1;
  double timeout_s = 60;
  bool preload = false;
  trace::Ns polling_ns = 0;            ///< polling in vain for so long ends the run, which is a question; 0: it goes on to its limit
  std::uint64_t most_output = 256ull << 20;  ///< bytes that a rank may print on a stream before the run is ended
  std::size_t most_spans = 16u << 20;        ///< of the trace, a few GB of the lab's memory, before the run is ended
  trace::ProbeControl orders;
  std::function<void(launch::JobSpec&)> adjust;  ///< limits, sandbox and folder of the job, before it starts; may be empty
};

/// What was seen of a run.
struct VerifyEvidence {
  trace::Trace trace;
  launch::JobStatus job;
  std::optional<analysis::Finding> deadlock, livelock, collective;
  std::vector<bool> initialized, finished;  ///< by rank: out of MPI_Init, into MPI_Finalize
  std::vector<bool> finalized;              ///< by rank: out of MPI_Finalize
  std::vector<std::string> output;          ///< stdout by rank
  std::vector<std::string> last_words;      ///< by rank, of stderr
  std::string launcher_words;               ///< of mpiexec
  struct Flood {
    int rank = 0;
    bool standard_error = false;
    std::uint64_t bytes = 0, limit = 0;     ///< printed, and kept of a stream; where `ended`, what may be printed
    bool ended = false;                     ///< the run was ended for it
  };
  std::optional<Flood> flood;               ///< the stream of which most was cut
  std::uint64_t file_limit = 0;             ///< bytes of one file of a rank; 0: none
  std::string other_build;                  ///< a library in a rank that does not fit this lab
  int attached = 0;                         ///< ranks whose feed was there
  bool ended_polling = false;               ///< the run was ended because it polled in vain
  std::size_t overlong = 0;                 ///< the spans for which the run was ended; 0: it was not
  bool cancelled = false;
  trace::Ns wall_ns = 0;
  trace::Ns detect_ns = 0;                  ///< from the last rank's blocking to the proof of a deadlock
};

class VerifyRun {
 public:
  VerifyRun(const launch::Installation& installation, const VerifyRunSpec& spec, SourceLines& lines);
  ~VerifyRun();
  /// Moves records and looks for what ends the run. False once it is over.
  bool poll();
  void cancel();
  const trace::Trace& trace() const;
  /// Of the job, with its control page.
  const std::filesystem::path& directory() const;
  /// Once it is over.
  VerifyEvidence take();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace p2plab::check
