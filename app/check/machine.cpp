// See machine.h.
#include "app/check/machine.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "app/launch/installation.h"
#include "app/trace/error.h"

extern char** environ;

namespace p2plab::check {

namespace {

/// Reads until end of file or the deadline; false on the deadline.
bool read_all(int fd, std::chrono::steady_clock::time_point deadline, std::string& out) {
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd wait{fd, POLLIN, 0};
    if (left.count() <= 0 || poll(&wait, 1, static_cast<int>(left.count())) == 0) return false;
    const ssize_t got = read(fd, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    out.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

std::string find_mpi_name() {
  std::filesystem::path mpiexec;
  try {
    mpiexec = launch::find_mpiexec();
  } catch (const Error&) {
    return {};
  }
  const auto text = output_of({mpiexec.string(), "--version"});
  const std::string mark = "Version:";
  const std::size_t at = text ? text->find(mark) : std::string::npos;
  if (at == std::string::npos) return "MPICH";
  const std::size_t begin = text->find_first_not_of(" \t", at + mark.size());
  const std::size_t end = text->find_first_of(" \t\n", begin);
  return begin == std::string::npos ? "MPICH" : "MPICH " + text->substr(begin, end - begin);
}

}  // namespace

std::optional<std::string> output_of(const std::vector<std::string>& command, std::chrono::milliseconds limit) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const int failure = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string out;
  const bool complete = failure == 0 && read_all(ends[0], std::chrono::steady_clock::now() + limit, out);
  close(ends[0]);
  if (failure != 0) return std::nullopt;
  if (!complete) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!complete || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return out;
}

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}

const std::string& mpi_name() {
  static const std::string name = find_mpi_name();
  return name;
}

}  // namespace p2plab::check
