// What the tests of app/launch share.
#pragma once
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "app/launch/job.h"

namespace p2plab::launch {

inline std::string test_program(const std::string& name) { return std::string(P2PLAB_BUILD_DIR) + "/tests/programs/" + name; }

/// A job of ranks of `launch-rank`, with the program's arguments.
inline JobSpec misbehaving(std::vector<std::string> arguments, int ranks = 1) {
  JobSpec spec;
  spec.program = std::move(arguments);
  spec.program.insert(spec.program.begin(), test_program("launch-rank"));
  spec.ranks = ranks;
  return spec;
}

inline const JobStatus& run_to_end(Job& job) {
  while (job.poll()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return job.status();
}

/// Waits until `done()`; false after `patience`, which is generous: the machine may be busy.
template <class Done>
bool eventually(Done done, std::chrono::seconds patience = std::chrono::seconds{20}) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!done()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// Live processes of the job with this directory, its supervisor included; the dead show no environment.
std::vector<int> processes_of(const std::filesystem::path& job_directory);

}  // namespace p2plab::launch
