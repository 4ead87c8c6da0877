// A job: its directory, its supervisor, and what both tell.
#include "app/launch/job.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <unordered_set>

#include "app/launch/environment.h"
#include "app/launch/job_directory.h"
#include "app/launch/output_reader.h"
#include "app/launch/process_tree.h"
#include "app/launch/protocol.h"
#include "app/launch/sandbox.h"
#include "app/launch/spawn.h"
#include "app/trace/control.h"
#include "app/trace/error.h"

namespace p2plab::launch {

std::filesystem::path find_mpiexec() {
  if (const char* chosen = std::getenv("P2PLAB_MPIEXEC"); chosen != nullptr && *chosen != '\0') {
    if (::access(chosen, X_OK) == 0) return chosen;
    throw Error("job.no_mpi");
  }
#ifdef P2PLAB_MPIEXEC
  if (::access(P2PLAB_MPIEXEC, X_OK) == 0) return P2PLAB_MPIEXEC;
#endif
  const std::filesystem::path found = find_program("mpiexec.mpich");
  if (found.empty()) throw Error("job.no_mpi");
  return found;
}

namespace {

constexpr std::chrono::seconds kSupervisorPatience{2};  ///< for an answer that normally takes milliseconds

void check_program(const JobSpec& spec) {
  const std::string& program = spec.program.at(0);
  const bool by_path = program.find('/') != std::string::npos;
  const std::filesystem::path path = by_path ? spec.working_directory / program : find_program(program);
  errno = ENOENT;
  if (path.empty() || ::access(path.c_str(), X_OK) != 0) {
    throw Error("job.no_program", {{"program", program}, {"why", std::strerror(errno)}});
  }
}

/// mpiexec with one host, this one: no name is looked up and no other launcher is asked.
std::vector<std::string> mpiexec_arguments(int ranks) {
  return {find_mpiexec().string(), "-launcher", "fork", "-rmk", "user", "-localhost", "127.0.0.1", "-hosts", "127.0.0.1",
          "-bind-to", "none", "-n", std::to_string(ranks)};
}

Fd checked(int fd, const char* what) {
  if (fd < 0) throw Error("job.cannot_start", {{"program", what}, {"why", std::strerror(errno)}}, 3);
  return Fd{fd};
}

/// A pipe with a name: ranks open its other end.
Fd named_pipe(const std::filesystem::path& path) {
  if (::mkfifo(path.c_str(), 0600) != 0) {
    if (errno == ENOSPC) throw Error("job.shm_full", {{"path", path.parent_path().string()}});
    throw Error("job.cannot_create", {{"path", path.string()}, {"why", std::strerror(errno)}});
  }
  return checked(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC), path.c_str());
}

}  // namespace

struct Job::Impl {
  Impl(const Installation& installation, JobSpec wanted);
  ~Impl();

  void start(const Installation& installation);
  std::vector<Fd> make_pipes();
  std::string wait_for_line();
  bool receive(bool wait);
  void handle(const std::string& line);
  void read_exits();
  void settle();
  void take_over();

  JobSpec spec;
  JobDirectory directory;
  JobStatus status;
  Fd supervisor, exits, mpiexec_out, mpiexec_err;  // the last two are the supervisor's ends, until it has started
  pid_t supervisor_pid = -1;
  std::string unread, unread_exits;  // beginnings of lines
  std::unique_ptr<OutputReader> reader;
  struct Shown {
    std::uint64_t total = 0;
    RankOutput output;
  };
  mutable std::vector<Shown> shown;
};

Job::Impl::Impl(const Installation& installation, JobSpec wanted) : spec(std::move(wanted)), directory(spec.ranks) {
  check_program(spec);
  const trace::Control control = trace::Control::create(directory.path(), spec.ranks, spec.seed);
  if (spec.orders) spec.orders(control.page());
  shown.resize(2 * static_cast<std::size_t>(spec.ranks) + 2);
  reader = std::make_unique<OutputReader>(make_pipes(), spec.limits.output_bytes);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // should the supervisor be killed, its children become ours
  start(installation);
}

Job::Impl::~Impl() {
  if (supervisor_pid < 0) return;
  supervisor.reset();  // the supervisor ends what is left, removes the directory and leaves
  while (::waitpid(supervisor_pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::vector<Fd> Job::Impl::make_pipes() {
  exits = named_pipe(directory.path() / protocol::kExitsPipe);
  std::vector<Fd> sources;
  for (int rank = 0; rank < spec.ranks; ++rank) {
    sources.push_back(named_pipe(directory.path() / (protocol::kOutPipe + std::to_string(rank))));
    sources.push_back(named_pipe(directory.path() / (protocol::kErrPipe + std::to_string(rank))));
  }
  for (Fd* write_end : {&mpiexec_out, &mpiexec_err}) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) checked(-1, "pipe");
    write_end->reset(ends[1]);
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    sources.emplace_back(ends[0]);
  }
  return sources;
}

void Job::Impl::start(const Installation& installation) {
  const std::string supervise = (installation.lib() / "p2plab-supervise").string();
  if (::access(supervise.c_str(), X_OK) != 0) throw Error("job.no_supervisor", {{"path", supervise}}, 3);
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) checked(-1, "socketpair");
  supervisor.reset(ends[0]);
  Fd theirs{ends[1]};

  Spawn what;
  const Limits& limits = spec.limits;
  what.arguments = {supervise, "job", directory.path().string(), std::to_string(limits.wall.count()),
                    std::to_string(limits.cpu.count()), std::to_string(limits.memory_bytes), std::to_string(limits.processes)};
  for (const std::string& word : spec.wrapper) what.arguments.push_back(word == kOwnDirectory ? directory.path().string() : word);
  std::vector<std::string> rank = {supervise, "rank", directory.path().string()};
  rank.insert(rank.end(), spec.program.begin(), spec.program.end());
  if (spec.without_mpi) {
    rank.insert(rank.begin() + 1, {"ranks", std::to_string(spec.ranks)});
    rank.erase(rank.begin() + 3);  // "rank": each of them becomes one
  } else if (spec.use_mpiexec) {
    const auto mpiexec = mpiexec_arguments(spec.ranks);
    what.arguments.insert(what.arguments.end(), mpiexec.begin(), mpiexec.end());
  }
  what.arguments.insert(what.arguments.end(), rank.begin(), rank.end());
  auto added = spec.environment;
  added["P2PLAB_JOB"] = directory.path().string();
  if (limits.file_bytes != 0) added["P2PLAB_FILE_BYTES"] = std::to_string(limits.file_bytes);
  what.environment = job_environment(added, spec.bare_environment);
  what.working_directory = spec.working_directory;
  what.descriptors = {{mpiexec_out.get(), STDOUT_FILENO}, {mpiexec_err.get(), STDERR_FILENO},
                      {theirs.get(), protocol::kLabFd}, {directory.owner_fd(), protocol::kOwnerFd}};
  supervisor_pid = spawn(what);
  theirs.reset();  // or a supervisor that dies now would never be missed
  mpiexec_out.reset();
  mpiexec_err.reset();

  const std::string first = wait_for_line();
  if (first == "started") return;
  const std::string program = spec.without_mpi ? "p2plab-supervise" : spec.use_mpiexec ? "mpiexec" : spec.program[0];
  int error = ECHILD;
  if (first.starts_with("failed ")) error = std::atoi(first.c_str() + std::strlen("failed "));
  supervisor.reset();
  ::waitpid(supervisor_pid, nullptr, 0);
  supervisor_pid = -1;
  throw Error("job.cannot_start", {{"program", program}, {"why", std::strerror(error)}}, 3);
}

/// The supervisor's first line; empty when it died before it wrote one.
std::string Job::Impl::wait_for_line() {
  std::string::size_type end;
  while ((end = unread.find('\n')) == std::string::npos) {
    if (!receive(true)) return {};
  }
  const std::string line = unread.substr(0, end);
  unread.erase(0, end + 1);
  return line;
}

/// Takes what the supervisor has written into `unread`. False at end-of-file.
bool Job::Impl::receive(bool wait) {
  char buffer[512];
  for (;;) {
    const ssize_t n = ::recv(supervisor.get(), buffer, sizeof buffer, wait ? 0 : MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    if (n == 0) return false;
    unread.append(buffer, static_cast<std::size_t>(n));
    return true;
  }
}

void Job::Impl::handle(const std::string& line) {
  std::istringstream in(line);
  std::string word, reason;
  int code = -1, signal = -1;
  if (!(in >> word >> reason >> code >> signal >> status.limit_value >> status.measured) || word != "end") return;
  if (code >= 0) status.exit_status = code;
  if (signal >= 0) status.signal = signal;
  status.end = JobEnd::finished;
  if (reason == protocol::kCancelled) status.end = JobEnd::cancelled;
  if (reason == protocol::kWall) status.end = JobEnd::wall_limit;
  if (reason == protocol::kCpu) status.end = JobEnd::cpu_limit;
  if (reason == protocol::kMemory) status.end = JobEnd::memory_limit;
  if (reason == protocol::kProcesses) status.end = JobEnd::process_limit;
  if (status.limit_value != 0) status.limit = reason;
}

void Job::Impl::read_exits() {
  char buffer[4096];
  for (ssize_t n; (n = ::read(exits.get(), buffer, sizeof buffer)) > 0;) {
    unread_exits.append(buffer, static_cast<std::size_t>(n));
  }
  for (std::string::size_type end; (end = unread_exits.find('\n')) != std::string::npos;) {
    std::istringstream in(unread_exits.substr(0, end));
    unread_exits.erase(0, end + 1);
    RankExit left;
    int code = -1, signal = -1;
    if (!(in >> left.rank >> code >> signal)) continue;
    if (code >= 0) left.status = code;
    if (signal >= 0) left.signal = signal;
    status.ranks.push_back(left);
  }
}

/// Nothing of the job runs any more: takes in the last that was written.
void Job::Impl::settle() {
  reader->finish();
  read_exits();
}

/// The supervisor was killed: its children have come to us, so we end them. They are known by its session or by the
/// job directory in their environment; once seen they are remembered, for the dead show no environment.
void Job::Impl::take_over() {
  const std::string mark = "P2PLAB_JOB=" + directory.path().string();
  std::unordered_set<pid_t> ours;
  ::kill(supervisor_pid, SIGKILL);  // it is our own child and not waited for: the number is still its own
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(supervisor_pid), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }  // now its children are ours
  end_children(
      [&](pid_t child) {
        if (child == supervisor_pid) return false;
        if (ours.count(child) != 0) return true;
        if (session_of(child) != supervisor_pid && !has_environment(child, mark)) return false;
        ours.insert(child);
        for (pid_t below : descendants_of(child)) ours.insert(below);
        return true;
      },
      static_cast<int>(std::chrono::milliseconds(kSupervisorPatience).count()));
  status.end = JobEnd::lost;
}

Job::Job(const Installation& installation, JobSpec spec) : impl_(std::make_unique<Impl>(installation, std::move(spec))) {}
Job::~Job() {
  if (impl_) cancel();
}
Job::Job(Job&&) noexcept = default;

bool Job::poll() {
  Impl& job = *impl_;
  if (job.status.end != JobEnd::running) return false;
  const bool alive = job.receive(false);
  for (std::string::size_type end; (end = job.unread.find('\n')) != std::string::npos;) {
    job.handle(job.unread.substr(0, end));
    job.unread.erase(0, end + 1);
  }
  if (!alive && job.status.end == JobEnd::running) job.take_over();
  if (job.status.end == JobEnd::running) {
    job.read_exits();
    return true;
  }
  job.settle();
  return false;
}

void Job::cancel() {
  Impl& job = *impl_;
  ::send(job.supervisor.get(), "k", 1, MSG_NOSIGNAL);
  const auto deadline = std::chrono::steady_clock::now() + kSupervisorPatience;
  while (poll()) {
    if (std::chrono::steady_clock::now() >= deadline) {  // stopped or stuck: do its work
      job.take_over();
      job.settle();
      return;
    }
    pollfd answer{job.supervisor.get(), POLLIN, 0};
    ::poll(&answer, 1, 100);
  }
}

const JobStatus& Job::status() const { return impl_->status; }

const RankOutput& Job::output(int rank, bool standard_error) const {
  const int row = rank >= 0 ? rank : impl_->spec.ranks;
  const auto source = 2 * static_cast<std::size_t>(row) + (standard_error ? 1 : 0);
  auto& shown = impl_->shown.at(source);
  if (const std::uint64_t total = impl_->reader->total(source); total != shown.total) {
    shown.output = impl_->reader->snapshot(source);
    shown.total = total;
  }
  return shown.output;
}

int Job::process(int own) const { return impl_->spec.wrapper.empty() ? own : process_known_as(own, impl_->supervisor_pid); }

const std::filesystem::path& Job::directory() const { return impl_->directory.path(); }

}  // namespace p2plab::launch
