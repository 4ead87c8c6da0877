// Plays the lab: starts the given program as a job of two ranks, prints the job's directory, and waits to be killed.
#include <unistd.h>

#include <cstdio>
#include <thread>

#include "app/launch/job.h"

int main(int argc, char** argv) {
  using namespace p2plab::launch;
  JobSpec spec;
  spec.program.assign(argv + 1, argv + argc);
  spec.ranks = 2;
  Job job(Installation::find(), spec);
  while (job.output(0, false).head.empty() || job.output(1, false).head.empty()) {
    if (!job.poll()) return 1;
    std::this_thread::yield();
  }
  std::printf("%s\n", job.directory().c_str());
  std::fflush(stdout);
  for (;;) ::pause();
}
