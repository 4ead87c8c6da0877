// The wrapper around one rank.
#include "app/launch/supervise/rank.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "app/launch/process_tree.h"
#include "app/launch/protocol.h"

namespace p2plab::launch {
namespace {

/// Connects `fd` with a named pipe of the job; without a reader (the lab has died) to nothing.
void redirect(int fd, const std::string& pipe) {
  int target = ::open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (target < 0) {
    target = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  } else {
    ::fcntl(target, F_SETFL, O_WRONLY);  // programs expect output that blocks
  }
  ::dup2(target, fd);
}

}  // namespace

int run_rank(const char* directory, char** program) {
  const char* rank_text = std::getenv("PMI_RANK");
  const std::string rank = rank_text != nullptr ? rank_text : "0";
  const std::string base = std::string(directory) + "/";
  const int exits = ::open((base + protocol::kExitsPipe).c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  const int input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(input, STDIN_FILENO);
  redirect(STDOUT_FILENO, base + protocol::kOutPipe + rank);
  redirect(STDERR_FILENO, base + protocol::kErrPipe + rank);

  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);  // a crash is a lesson here, its core file only litter
  if (const char* most = std::getenv("P2PLAB_FILE_BYTES"); most != nullptr) {
    const rlimit file{std::strtoull(most, nullptr, 10), std::strtoull(most, nullptr, 10)};
    ::setrlimit(RLIMIT_FSIZE, &file);
  }
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t self = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // this program has one thread, so it fires for its death alone
    if (::getppid() != self) ::_exit(protocol::kCannotRun);
    ::execvp(program[0], program);
    std::fprintf(stderr, "%s: %s\n", program[0], std::strerror(errno));
    ::_exit(protocol::kCannotRun);
  }
  if (child < 0) {
    std::fprintf(stderr, "fork: %s\n", std::strerror(errno));
    return protocol::kCannotRun;
  }
  int status = 0;
  for (pid_t ended = 0; ended != child;) ended = ::waitpid(-1, &status, 0);  // orphans of the rank are buried on the way
  // What the rank has left behind would hold its connection to mpiexec, which would wait for it.
  while (!end_children([](pid_t) { return true; }, 1000)) {
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : -1;
  const std::string report = rank + " " + std::to_string(code) + " " + std::to_string(signal) + "\n";
  if (exits >= 0 && ::write(exits, report.data(), report.size()) < 0) {
    // Nobody reads any more: the lab is gone and this rank is about to be ended.
  }
  if (signal < 0) return code;
  ::signal(signal, SIG_DFL);
  ::raise(signal);
  return 128 + signal;
}

}  // namespace p2plab::launch
