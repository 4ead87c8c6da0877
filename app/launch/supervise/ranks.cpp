// See ranks.h.
#include "app/launch/supervise/ranks.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "app/launch/protocol.h"
#include "app/launch/supervise/rank.h"

namespace p2plab::launch {

int run_ranks(int n, const char* directory, char** program) {
  const pid_t self = ::getpid();
  std::vector<pid_t> ranks;
  ::setenv("PMI_SIZE", std::to_string(n).c_str(), 1);
  for (int rank = 0; rank < n; ++rank) {
    ::setenv("PMI_RANK", std::to_string(rank).c_str(), 1);
    const pid_t child = ::fork();
    if (child == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // one thread, so it fires for our death alone
      if (::getppid() != self) ::_exit(protocol::kCannotRun);
      std::exit(run_rank(directory, program));
    }
    if (child < 0) {
      std::fprintf(stderr, "fork: %s\n", std::strerror(errno));
      for (const pid_t other : ranks) ::kill(other, SIGKILL);
      return protocol::kCannotRun;
    }
    ranks.push_back(child);
  }
  int result = 0;
  while (!ranks.empty()) {
    int status = 0;
    const pid_t ended = ::waitpid(-1, &status, 0);
    if (ended < 0 && errno != EINTR) break;
    if (std::erase(ranks, ended) == 0) continue;
    const bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (well || result != 0) continue;
    result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    for (const pid_t other : ranks) ::kill(other, SIGKILL);  // they are our own children and not yet waited for
  }
  return result;
}

}  // namespace p2plab::launch
