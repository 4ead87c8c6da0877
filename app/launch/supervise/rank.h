// One rank under the job: its output goes to the job's named pipes and its end is reported, whatever mpiexec does.
#pragma once

namespace p2plab::launch {

/// Runs `program` (null-terminated argument array), waits for it and ends as it ended.
int run_rank(const char* directory, char** program);

}  // namespace p2plab::launch
