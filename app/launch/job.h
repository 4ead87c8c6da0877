// A job of many processes: started, watched and ended. Nothing of it survives its end, nor the end of the lab.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/launch/installation.h"
#include "app/trace/control.h"

namespace p2plab::launch {

struct Limits {
  std::chrono::milliseconds wall{60'000};
  std::chrono::milliseconds cpu{0};          ///< of the whole tree; 0: none
  std::uint64_t memory_bytes = 0;            ///< resident, of the whole tree; 0: none
  std::uint64_t processes = 0;               ///< of the whole tree, the lab's own helpers among them; 0: none
  std::uint64_t file_bytes = 0;              ///< of one file that a rank writes (RLIMIT_FSIZE); 0: none
  std::size_t output_bytes = 1 << 20;        ///< kept per rank and stream: head and tail
};

struct JobSpec {
  std::vector<std::string> program;          ///< argument array of one rank; never a shell string
  int ranks = 1;
  std::map<std::string, std::string> environment;  ///< added to the lab's own
  bool bare_environment = false;             ///< of the lab's own only what a job needs: what else it holds may be secret
  std::filesystem::path working_directory;   ///< empty: the lab's own
  std::uint64_t seed = 1;
  Limits limits;
  std::vector<std::string> wrapper;          ///< put before the whole job's command: a sandbox (sandbox.h)
  std::function<void(trace::ControlPage&)> orders;  ///< writes the control page before any rank starts
  bool use_mpiexec = true;                   ///< false: one process, started directly
  bool without_mpi = false;                  ///< the lab starts the ranks itself; they cannot use MPI, and it need not be here
};

/// Why a job ended.
enum class JobEnd {
  running,
  finished,
  cancelled,
  wall_limit,
  cpu_limit,
  memory_limit,
  process_limit,
  lost,  ///< somebody killed the supervisor; the lab has ended the rest
};

struct RankExit {
  int rank = 0;
  std::optional<int> status;                 ///< exit status, if it is known
  std::optional<int> signal;
};

/// What a rank printed, as much as was kept.
struct RankOutput {
  std::string head, tail;                    ///< tail is empty while everything fits into head
  std::uint64_t cut_bytes = 0;               ///< bytes left out between head and tail
  std::string text() const;                  ///< head, a line that states the cut, tail
};

struct JobStatus {
  JobEnd end = JobEnd::running;
  std::optional<int> exit_status, signal;    ///< of mpiexec (or the process itself)
  std::vector<RankExit> ranks;               ///< those whose end is known
  std::string limit;                         ///< the limit that ended it: "wall", "cpu", "memory" or "processes", with
  std::uint64_t limit_value = 0, measured = 0;  ///< its value and what was measured, in ms, bytes or processes
};

/// One running job under `p2plab-supervise`. Make it, poll it from one thread, destroy it: then all of it is gone.
class Job {
 public:
  /// Makes the job's directory (control page; ranks add their feeds) and starts it.
  /// Throws Error: "job.no_mpi", "job.no_program", "job.shm_full", "job.no_supervisor", "job.cannot_start", ….
  Job(const Installation& installation, JobSpec spec);
  ~Job();
  Job(Job&&) noexcept;

  /// Reads what is there and returns at once. True while the job runs.
  bool poll();
  /// Ends everything; returns when nothing is left (within 200 ms), keeping feeds readable.
  void cancel();
  const JobStatus& status() const;
  /// What a rank has printed so far; rank -1 is mpiexec itself. The reference is good until the next call for the same.
  const RankOutput& output(int rank, bool standard_error) const;
  /// Job directory in shared memory: P2PLAB_JOB of the ranks. Removed by the destructor, or by the supervisor if the
  /// lab died.
  const std::filesystem::path& directory() const;
  /// The process of the job that knows itself as `own`, by the number that it has here; 0: there is none.
  int process(int own) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace p2plab::launch
