// Starting one process with exactly the descriptors, directory and environment it shall have.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace p2plab::launch {

struct Spawn {
  std::vector<std::string> arguments;        ///< [0] is the program's path
  std::vector<std::string> environment;
  std::filesystem::path working_directory;   ///< empty: the caller's
  std::vector<std::pair<int, int>> descriptors;  ///< (ours, the child's); all others are close-on-exec
};

/// The new process's id; throws Error "job.cannot_start". Signals are at their defaults in it.
pid_t spawn(const Spawn& what);

}  // namespace p2plab::launch
