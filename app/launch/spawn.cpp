// posix_spawn, wrapped.
#include "app/launch/spawn.h"

#include <fcntl.h>
#include <spawn.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "app/launch/fd.h"
#include "app/trace/error.h"

namespace p2plab::launch {
namespace {

constexpr int kAboveTargets = 16;  ///< sources are moved out of the way of the child's numbers first

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (const std::string& text : strings) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

}  // namespace

pid_t spawn(const Spawn& what) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  sigset_t every, none;
  sigfillset(&every);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &every);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  if (!what.working_directory.empty()) {
    posix_spawn_file_actions_addchdir_np(&actions, what.working_directory.c_str());
  }
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  std::vector<Fd> moved;
  for (const auto& [ours, theirs] : what.descriptors) {
    moved.emplace_back(::fcntl(ours, F_DUPFD_CLOEXEC, kAboveTargets));
    posix_spawn_file_actions_adddup2(&actions, moved.back().get(), theirs);
  }
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, what.arguments[0].c_str(), &actions, &attributes,
                                  pointers(what.arguments).data(), pointers(what.environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    throw Error("job.cannot_start", {{"program", what.arguments[0]}, {"why", std::strerror(error)}}, 3);
  }
  return pid;
}

}  // namespace p2plab::launch
