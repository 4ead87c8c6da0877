// p2plab-supervise: the parent of a job's processes, so that nothing of a job survives its end or the end of the lab.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "app/launch/supervise/rank.h"
#include "app/launch/supervise/ranks.h"
#include "app/launch/supervise/supervise.h"

int main(int argc, char** argv) {
  using namespace p2plab::launch;
  if (argc >= 8 && std::strcmp(argv[1], "job") == 0) return supervise_job(argv + 2);
  if (argc >= 5 && std::strcmp(argv[1], "ranks") == 0) return run_ranks(std::atoi(argv[2]), argv[3], argv + 4);
  if (argc >= 4 && std::strcmp(argv[1], "rank") == 0) return run_rank(argv[2], argv + 3);
  std::fputs("p2plab-supervise is started by P2P Lab, not by hand.\n", stderr);
  return 2;
}
