// Step mode: real ranks held before each communication call, let go one by one, until a deadlock is there.
#include <algorithm>
#include <chrono>
#include <thread>

#include "app/check/lab_run.h"
#include "app/check/source_lines.h"
#include "app/check/step_control.h"
#include "tests/labs/toy_lab.h"
#include "tests/support/catch.h"

using namespace toy;
using State = check::Stand::State;

namespace {

/// Polls until every rank is in its state, or the run is over, or a minute has passed.
bool reached(check::LabCaseRun& run, const std::vector<State>& wanted) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < until && run.poll()) {
    const auto stands = check::stands(run.trace(), static_cast<int>(wanted.size()));
    if (std::equal(stands.begin(), stands.end(), wanted.begin(), [](const check::Stand& stand, State state) { return stand.state == state; })) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

}  // namespace

TEST_CASE("Ranks are held before each call, a release lets one make one call, and so a deadlock is caused by hand") {
  const Lab lab;
  const check::LabManifest manifest = lab.manifest();
  const fs::path work = lab.hand_in(program("static char big[4 << 20];\nMPI_Send(big, sizeof big, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD);\nMPI_Recv(big, sizeof big, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"));
  check::LabDesk desk;
  const auto here = installation();
  const check::LabProgram built = check::build_lab(here, manifest, work, desk);
  REQUIRE(built.built);
  check::SourceLines lines;
  check::LabCase how;
  how.run = "a";
  how.step = true;
  const auto run = check::start_case(here, manifest, built, how, desk, lines);
  check::StepControl control(run->directory());

  REQUIRE(reached(*run, {State::held, State::held}));
  control.release(0);
  REQUIRE(reached(*run, {State::waiting, State::held}));
  const auto stands = check::stands(run->trace(), 2);
  CHECK(stands[0].call == "MPI_Send");
  CHECK(stands[0].waits_for == std::vector<int>{1});

  control.release(1);
  CHECK_FALSE(reached(*run, {State::ended, State::ended}));
  CHECK(run->take().verdict == analysis::Verdict::deadlock);
}

TEST_CASE("Whoever lets all ranks go gets an ordinary run") {
  const Lab lab;
  const check::LabManifest manifest = lab.manifest();
  check::LabDesk desk;
  const auto here = installation();
  const check::LabProgram built = check::build_lab(here, manifest, lab.hand_in(program()), desk);
  check::SourceLines lines;
  check::LabCase how;
  how.run = "a";
  how.step = true;
  const auto run = check::start_case(here, manifest, built, how, desk, lines);
  check::StepControl control(run->directory());
  REQUIRE(reached(*run, {State::held, State::held}));
  control.release_all();
  while (run->poll()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  CHECK(run->take().verdict == analysis::Verdict::pass);
}
