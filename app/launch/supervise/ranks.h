// Starts the ranks of a job that needs no MPI.
#pragma once

namespace p2plab::launch {

/// N processes, each of which becomes run_rank(directory, program) with PMI_RANK and PMI_SIZE in its environment. When one
/// ends badly the others are ended, as mpiexec does. Returns the exit status of the first that ended badly, else 0.
int run_ranks(int n, const char* directory, char** program);

}  // namespace p2plab::launch
