// A job from start to end: output, exits, limits, paths.
#include "app/launch/job.h"

#include <csignal>

#include "app/trace/control.h"
#include "app/trace/error.h"
#include "tests/launch/support.h"
#include "tests/support/catch.h"
#include "tests/trace/temporary.h"

using namespace p2plab;
using namespace p2plab::launch;

TEST_CASE("a rank's output arrives under its number") {
  JobSpec spec;
  spec.program = {"/bin/sh", "-c", "echo out $PMI_RANK; echo err $PMI_RANK >&2"};
  spec.ranks = 3;
  Job job(Installation::find(), spec);
  CHECK(run_to_end(job).end == JobEnd::finished);
  CHECK(job.status().exit_status == 0);
  for (int rank = 0; rank < 3; ++rank) {
    CHECK(job.output(rank, false).text() == "out " + std::to_string(rank) + "\n");
    CHECK(job.output(rank, true).text() == "err " + std::to_string(rank) + "\n");
  }
  REQUIRE(job.status().ranks.size() == 3);
  for (const RankExit& left : job.status().ranks) CHECK(left.status == 0);
}

TEST_CASE("MPI ranks find each other") {
  JobSpec spec;
  spec.program = {test_program("launch-mpi-rank"), "ring"};
  spec.ranks = 3;
  Job job(Installation::find(), spec);
  CHECK(run_to_end(job).exit_status == 0);
  CHECK(job.output(0, false).text() == "2 from 2\n");
  CHECK(job.output(2, false).text() == "1 from 1\n");
}

TEST_CASE("a supervisor that dies before its first word is an error, not a wait without end") {
  const TemporaryDir dir;
  const Installation broken{dir.path()};
  std::filesystem::create_directories(broken.lib());
  std::filesystem::create_symlink("/bin/false", broken.lib() / "p2plab-supervise");
  CHECK_THROWS_AS(Job(broken, misbehaving({"exit", "0"})), Error);
}

TEST_CASE("a job without mpiexec is one process with the same care") {
  JobSpec spec = misbehaving({"exit", "7"});
  spec.use_mpiexec = false;
  Job job(Installation::find(), spec);
  CHECK(run_to_end(job).end == JobEnd::finished);
  CHECK(job.status().exit_status == 7);
  REQUIRE(job.status().ranks.size() == 1);
  CHECK(job.status().ranks[0].status == 7);
}

TEST_CASE("the exit status of a rank is known") {
  Job job(Installation::find(), misbehaving({"exit", "5"}, 1));
  CHECK(run_to_end(job).exit_status == 5);
  REQUIRE(job.status().ranks.size() == 1);
  CHECK(job.status().ranks[0].status == 5);
  CHECK_FALSE(job.status().ranks[0].signal);
}

TEST_CASE("the signal that a rank died of is known, and the others are ended") {
  JobSpec spec;
  spec.program = {test_program("launch-mpi-rank"), "crash"};
  spec.ranks = 2;
  Job job(Installation::find(), spec);
  CHECK(run_to_end(job).end == JobEnd::finished);
  bool found = false;  // the rank's own end tells: mpiexec of MPICH 4.2 sometimes exits with 0 over a crashed rank
  for (const RankExit& left : job.status().ranks) {
    if (left.rank == 1) found = left.signal == SIGSEGV;
  }
  CHECK(found);
  CHECK(processes_of(job.directory()).size() <= 1);  // its supervisor waits for the job's destruction
}

TEST_CASE("a flood is cut to head and tail and never blocks the rank") {
  const long bytes = 64L << 20;
  JobSpec spec = misbehaving({"flood", std::to_string(bytes)}, 2);
  spec.limits.output_bytes = 4096;
  Job job(Installation::find(), spec);
  CHECK(run_to_end(job).exit_status == 0);
  for (int rank = 0; rank < 2; ++rank) {
    const RankOutput& output = job.output(rank, false);
    CHECK(output.head.size() == 2048);
    CHECK(output.tail.size() == 2048);
    CHECK(output.cut_bytes == static_cast<std::uint64_t>(bytes) - 4096);
    CHECK(output.head.starts_with("0123456789abcde\n"));
    CHECK(output.tail.ends_with("0123456789abcde\n"));
  }
}

TEST_CASE("what a hanging job has printed can be read while it hangs") {
  Job job(Installation::find(), misbehaving({"hang"}, 2));
  CHECK(eventually([&] {
    job.poll();
    return job.output(1, false).text() == "hanging\n";
  }));
  CHECK(job.status().end == JobEnd::running);
}

TEST_CASE("a hang is ended by the wall limit, which is named with the measured time") {
  JobSpec spec = misbehaving({"hang"}, 2);
  spec.limits.wall = std::chrono::milliseconds{300};
  Job job(Installation::find(), spec);
  CHECK(run_to_end(job).end == JobEnd::wall_limit);
  CHECK(job.status().limit == "wall");
  CHECK(job.status().limit_value == 300);
  CHECK(job.status().measured >= 300);
  CHECK(processes_of(job.directory()).size() <= 1);
}

TEST_CASE("the CPU time of all ranks together is limited") {
  JobSpec spec = misbehaving({"spin"}, 2);
  spec.limits.cpu = std::chrono::milliseconds{400};
  Job job(Installation::find(), spec);
  CHECK(run_to_end(job).end == JobEnd::cpu_limit);
  CHECK(job.status().limit == "cpu");
  CHECK(job.status().measured >= 400);
}

TEST_CASE("the memory of all ranks together is limited") {
  JobSpec spec = misbehaving({"eat", std::to_string(96L << 20)}, 2);
  spec.limits.memory_bytes = 150u << 20;  // one alone would pass
  Job job(Installation::find(), spec);
  CHECK(run_to_end(job).end == JobEnd::memory_limit);
  CHECK(job.status().limit == "memory");
  CHECK(job.status().limit_value == 150u << 20);
  CHECK(job.status().measured > 150u << 20);
}

TEST_CASE("memory that processes share counts once") {
  JobSpec spec = misbehaving({"share", std::to_string(96L << 20)});
  spec.limits.memory_bytes = 150u << 20;
  spec.limits.wall = std::chrono::seconds{2};
  Job job(Installation::find(), spec);
  CHECK(run_to_end(job).end == JobEnd::wall_limit);
  CHECK(job.output(0, false).text().size() == 2 * std::string("shared 0\n").size());
}

TEST_CASE("paths with spaces, Chinese characters and quotes work") {
  const auto folder = std::filesystem::temp_directory_path() / ("点对点 通信 '\"$(x)" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(test_program("launch-rank"), folder / "程序 a");
  JobSpec spec;
  spec.program = {(folder / "程序 a").string(), "where", "an 'argument' with \"$HOME\" 和 空格"};
  spec.ranks = 2;
  spec.working_directory = folder;
  {
    Job job(Installation::find(), spec);
    CHECK(run_to_end(job).exit_status == 0);
    for (int rank = 0; rank < 2; ++rank) CHECK(job.output(rank, false).text() == folder.string() + "\n" + spec.program[2] + "\n");
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("the environment of a job is the lab's own, the job's directory, and what was added") {
  JobSpec spec;
  spec.program = {"/bin/sh", "-c", "echo $ADDED; echo $P2PLAB_JOB"};
  spec.environment = {{"ADDED", "值 with space"}};
  Job job(Installation::find(), spec);
  run_to_end(job);
  CHECK(job.output(0, false).text() == "值 with space\n" + job.directory().string() + "\n");
}

TEST_CASE("two jobs run at once and do not mix") {
  Job one(Installation::find(), misbehaving({"hang"}, 2));
  Job two(Installation::find(), misbehaving({"exit", "3"}, 1));
  CHECK(one.directory() != two.directory());
  CHECK(run_to_end(two).exit_status == 3);
  CHECK(one.poll());
  one.cancel();
  CHECK(one.status().end == JobEnd::cancelled);
  CHECK(two.status().end == JobEnd::finished);
}

TEST_CASE("the control page is there for the ranks and carries the seed") {
  JobSpec spec = misbehaving({"hang"}, 2);
  spec.seed = 42;
  Job job(Installation::find(), spec);
  const auto control = trace::Control::open(job.directory());
  CHECK(control.page().seed == 42);
  CHECK(control.page().ranks == 2);
  const auto permissions = std::filesystem::status(job.directory()).permissions();
  CHECK(permissions == std::filesystem::perms::owner_all);
}

namespace {

std::string error_of(const JobSpec& spec) {
  try {
    Job job(Installation::find(), spec);
  } catch (const Error& error) {
    return error.text().id;
  }
  return "";
}

/// An environment variable for the length of a test.
struct Setting {
  Setting(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Setting() { ::unsetenv(name_); }
  const char* name_;
};

}  // namespace

TEST_CASE("what cannot start says why") {
  JobSpec missing;
  missing.program = {"/nowhere/to/be found"};
  CHECK(error_of(missing) == "job.no_program");
  missing.program = {"no-such-program-on-the-path"};
  CHECK(error_of(missing) == "job.no_program");
  {
    const Setting broken("P2PLAB_MPIEXEC", "/nowhere/mpiexec");
    CHECK(error_of(misbehaving({"exit", "0"})) == "job.no_mpi");
  }
  {
    const Setting nowhere("P2PLAB_SHM", "/nowhere/shm");
    CHECK(error_of(misbehaving({"exit", "0"})) == "job.cannot_create");
  }
}
