// A job from start to end.
#include "app/launch/job.h"

#include <thread>

#include "tests/support/catch.h"

using namespace p2plab::launch;

TEST_CASE("a rank's output arrives under its number") {
  JobSpec spec;
  spec.program = {"/bin/sh", "-c", "echo out $PMI_RANK; echo err $PMI_RANK >&2"};
  spec.ranks = 3;
  Job job(Installation::find(), spec);
  while (job.poll()) std::this_thread::yield();
  CHECK(job.status().end == JobEnd::finished);
  CHECK(job.status().exit_status == 0);
  for (int rank = 0; rank < 3; ++rank) {
    CHECK(job.output(rank, false).text() == "out " + std::to_string(rank) + "\n");
    CHECK(job.output(rank, true).text() == "err " + std::to_string(rank) + "\n");
  }
  CHECK(job.status().ranks.size() == 3);
}

TEST_CASE("a job that sleeps for good is ended by cancel") {
  JobSpec spec;
  spec.program = {"/bin/sleep", "1000"};
  spec.ranks = 2;
  Job job(Installation::find(), spec);
  const auto begin = std::chrono::steady_clock::now();
  job.cancel();
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  CHECK(ms < 5000);
  CHECK(job.status().end == JobEnd::cancelled);
}
