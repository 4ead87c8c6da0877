// The environment of a job: the lab's own, without what another launcher left in it, and with the job's additions.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace p2plab::launch {

/// "NAME=value" strings; `added` wins. `bare`: only names that concern programs, languages, MPI and the lab.
std::vector<std::string> job_environment(const std::map<std::string, std::string>& added, bool bare = false);

}  // namespace p2plab::launch
