// The supervision of one job.
#include "app/launch/supervise/supervise.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "app/launch/process_tree.h"
#include "app/launch/protocol.h"

namespace p2plab::launch {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kSampleMs = 20;  ///< between two looks at CPU time, memory and processes

struct End {
  std::string reason = protocol::kFinished;
  int status = -1, signal = -1;
  std::uint64_t limit = 0, measured = 0;
};

void report(const std::string& line) {
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t n = ::write(protocol::kLabFd, line.data() + done, line.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;  // the lab is gone; nobody will miss the report
    done += static_cast<std::size_t>(n);
  }
}

class Supervisor {
 public:
  explicit Supervisor(char** arguments)
      : directory_(arguments[0]),
        wall_ms_(std::strtoull(arguments[1], nullptr, 10)),
        cpu_ms_(std::strtoull(arguments[2], nullptr, 10)),
        memory_bytes_(std::strtoull(arguments[3], nullptr, 10)),
        processes_(std::strtoull(arguments[4], nullptr, 10)),
        program_(arguments + 5) {}

  int run() {
    ::setsid();  // Ctrl-C is for the lab, which then ends the job
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ::signal(SIGPIPE, SIG_IGN);
    for (int fd : {protocol::kLabFd, protocol::kOwnerFd}) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    sigemptyset(&signals_);
    for (int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&signals_, signal);
    ::sigprocmask(SIG_BLOCK, &signals_, nullptr);
    signal_fd_ = ::signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK);

    if (const int error = start(); error != 0) {
      report("failed " + std::to_string(error) + "\n");
    } else {
      report("started\n");
      watch();
      while (!end_children([](pid_t) { return true; }, 1000)) {
      }
      report("end " + end_.reason + " " + std::to_string(end_.status) + " " + std::to_string(end_.signal) + " " +
             std::to_string(end_.limit) + " " + std::to_string(end_.measured) + "\n");
    }
    outlive_the_lab();
    return 0;
  }

 private:
  /// Starts the program; the errno of a failed exec comes back through a pipe that a successful one closes.
  int start() {
    int pipe[2];
    if (::pipe2(pipe, O_CLOEXEC) != 0) return errno;
    program_pid_ = ::fork();
    if (program_pid_ < 0) return errno;
    if (program_pid_ == 0) {
      ::sigprocmask(SIG_UNBLOCK, &signals_, nullptr);
      ::signal(SIGPIPE, SIG_DFL);
      ::execv(program_[0], program_);
      const int error = errno;
      if (::write(pipe[1], &error, sizeof error) < 0) ::_exit(protocol::kCannotRun);
      ::_exit(protocol::kCannotRun);
    }
    ::close(pipe[1]);
    int error = 0;
    if (::read(pipe[0], &error, sizeof error) != sizeof error) error = 0;
    ::close(pipe[0]);
    return error;
  }

  void watch() {
    const auto started = Clock::now();
    while (true) {
      const auto elapsed = static_cast<std::uint64_t>(
          std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started).count());
      if (reap()) return;
      if (wall_ms_ != 0 && elapsed >= wall_ms_) return stop(protocol::kWall, wall_ms_, elapsed);
      if (over_budget()) return;

      std::uint64_t wait_ms = 60'000;
      if (wall_ms_ != 0) wait_ms = std::min(wait_ms, wall_ms_ - elapsed);
      if (measures()) wait_ms = std::min<std::uint64_t>(wait_ms, kSampleMs);
      pollfd fds[] = {{protocol::kLabFd, POLLIN, 0}, {signal_fd_, POLLIN, 0}};
      if (::poll(fds, 2, static_cast<int>(wait_ms)) <= 0) continue;
      if (fds[0].revents != 0) {
        char order = 0;
        const ssize_t n = ::read(protocol::kLabFd, &order, 1);
        if (n >= 0 || errno != EINTR) return stop(protocol::kCancelled);
      }
      signalfd_siginfo info{};
      while (fds[1].revents != 0 && ::read(signal_fd_, &info, sizeof info) == sizeof info) {
        if (info.ssi_signo != SIGCHLD) return stop(protocol::kCancelled);
      }
    }
  }

  void stop(const char* reason, std::uint64_t limit = 0, std::uint64_t measured = 0) {
    end_.reason = reason;
    end_.limit = limit;
    end_.measured = measured;
  }

  /// Buries the dead, orphans of the job among them. True when the program itself was one.
  bool reap() {
    bool ended = false;
    int status = 0;
    for (pid_t pid; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      if (pid != program_pid_) continue;
      ended = true;
      if (WIFEXITED(status)) end_.status = WEXITSTATUS(status);
      if (WIFSIGNALED(status)) end_.signal = WTERMSIG(status);
    }
    return ended;
  }

  bool measures() const { return cpu_ms_ != 0 || memory_bytes_ != 0 || processes_ != 0; }
  bool over_budget() {
    if (!measures()) return false;
    const TreeUsage usage = usage_below(::getpid());
    if (processes_ != 0 && usage.processes > processes_) {
      stop(protocol::kProcesses, processes_, usage.processes);
      return true;
    }
    if (cpu_ms_ != 0 && usage.cpu_ms >= cpu_ms_) {
      stop(protocol::kCpu, cpu_ms_, usage.cpu_ms);
      return true;
    }
    if (memory_bytes_ == 0 || usage.resident_bytes <= memory_bytes_) return false;
    const std::uint64_t exact = proportional_bytes_below(::getpid());  // shared pages must not count for every rank
    if (exact <= memory_bytes_) return false;
    stop(protocol::kMemory, memory_bytes_, exact);
    return true;
  }

  /// The feeds stay readable until the lab lets go of the job; if it died instead, the directory is ours to remove.
  void outlive_the_lab() {
    char order = 0;
    while (::read(protocol::kLabFd, &order, 1) > 0 || errno == EINTR) errno = 0;
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

  std::string directory_;
  std::uint64_t wall_ms_, cpu_ms_, memory_bytes_, processes_;
  char** program_;
  pid_t program_pid_ = -1;
  int signal_fd_ = -1;
  sigset_t signals_{};
  End end_;
};

}  // namespace

int supervise_job(char** arguments) { return Supervisor{arguments}.run(); }

}  // namespace p2plab::launch
