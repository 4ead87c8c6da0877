// Finding the processes of a job among all.
#include "tests/launch/support.h"

#include <cstdlib>

#include "app/launch/process_tree.h"

namespace p2plab::launch {

std::vector<int> processes_of(const std::filesystem::path& job_directory) {
  std::vector<int> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const int pid = std::atoi(entry.path().filename().c_str());
    if (pid > 0 && has_environment(pid, "P2PLAB_JOB=" + job_directory.string())) found.push_back(pid);
  }
  return found;
}

}  // namespace p2plab::launch
