// Nothing of a job survives its end, however it comes.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "app/launch/fd.h"
#include "app/launch/job.h"
#include "app/launch/process_tree.h"
#include "app/launch/spawn.h"
#include "tests/launch/support.h"
#include "tests/support/catch.h"

using namespace p2plab::launch;

namespace {

/// The lab, played by another process, with a job that has begun to print.
struct Driver {
  explicit Driver(std::vector<std::string> program) {
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    const Fd read_end{ends[0]};
    Fd write_end{ends[1]};
    Spawn what;
    what.arguments = std::move(program);
    what.arguments.insert(what.arguments.begin(), test_program("launch-driver"));
    for (char** entry = environ; *entry != nullptr; ++entry) what.environment.emplace_back(*entry);
    what.descriptors = {{write_end.get(), STDOUT_FILENO}};
    pid = spawn(what);
    write_end.reset();
    std::string line;
    for (char c; ::read(read_end.get(), &c, 1) == 1 && c != '\n';) line += c;
    directory = line;
    REQUIRE(std::filesystem::is_directory(directory));
  }
  void kill() const {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  pid_t pid = -1;
  std::filesystem::path directory;
};

/// The supervisor of the only job of this process.
pid_t supervisor_of_this() {
  const auto children = children_of(::getpid());
  REQUIRE(children.size() == 1);
  return children[0];
}

}  // namespace

TEST_CASE("cancel ends spinning MPI ranks at once and keeps the feeds until the job is destroyed") {
  std::filesystem::path directory;
  {
    JobSpec spec;
    spec.program = {test_program("launch-mpi-rank"), "deadlock"};
    spec.ranks = 2;
    Job job(Installation::find(), spec);
    directory = job.directory();
    CHECK(eventually([&] {
      job.poll();
      return !job.output(0, false).head.empty() && !job.output(1, false).head.empty();
    }));
    const auto begin = std::chrono::steady_clock::now();
    job.cancel();
    const auto taken = std::chrono::steady_clock::now() - begin;
    CHECK(taken < std::chrono::seconds{5});
    CHECK(job.status().end == JobEnd::cancelled);
    CHECK(processes_of(directory).size() <= 1);
    CHECK(std::filesystem::exists(directory / "control"));
    std::printf("cancel took %.1f ms\n", std::chrono::duration<double, std::milli>(taken).count());
  }
  CHECK(processes_of(directory).empty());
  CHECK_FALSE(std::filesystem::exists(directory));
}

TEST_CASE("ranks that ignore every polite signal are ended") {
  Job job(Installation::find(), misbehaving({"stubborn"}, 2));
  CHECK(eventually([&] {
    job.poll();
    return job.output(1, false).text() == "ignoring\n";
  }));
  job.cancel();
  CHECK(job.status().end == JobEnd::cancelled);
  CHECK(processes_of(job.directory()).size() <= 1);
}

TEST_CASE("daemons with sessions of their own end with the program that left them") {
  Job job(Installation::find(), misbehaving({"daemons", "20"}, 2));
  CHECK(run_to_end(job).end == JobEnd::finished);
  CHECK(job.status().exit_status == 0);
  CHECK(processes_of(job.directory()).size() <= 1);
}

TEST_CASE("a process that runs away from one number to the next is caught") {
  Job job(Installation::find(), misbehaving({"runaway"}, 1));
  CHECK(run_to_end(job).end == JobEnd::finished);
  CHECK(processes_of(job.directory()).size() <= 1);
}

TEST_CASE("when the lab is killed, nothing of its job is left, not even a file") {
  const auto program = GENERATE(std::vector<std::string>{"launch-mpi-rank", "deadlock"},
                                std::vector<std::string>{"launch-rank", "stubborn"});
  const Driver driver({test_program(program[0]), program[1]});
  CHECK(processes_of(driver.directory).size() >= 5);
  driver.kill();
  CHECK(eventually([&] { return processes_of(driver.directory).empty(); }));
  CHECK(eventually([&] { return !std::filesystem::exists(driver.directory); }));
  CHECK(end_children([](pid_t) { return true; }, 5000));  // the driver's orphans come to us, being a subreaper by now
}

TEST_CASE("when the supervisor is killed, the lab ends the job") {
  std::filesystem::path directory;
  {
    JobSpec spec;
    spec.program = {test_program("launch-mpi-rank"), "deadlock"};
    spec.ranks = 2;
    Job job(Installation::find(), spec);
    directory = job.directory();
    CHECK(eventually([&] {
      job.poll();
      return !job.output(0, false).head.empty() && !job.output(1, false).head.empty();
    }));
    ::kill(supervisor_of_this(), SIGKILL);
    CHECK(run_to_end(job).end == JobEnd::lost);
    CHECK(eventually([&] { return processes_of(directory).empty(); }));
    CHECK(std::filesystem::exists(directory / "control"));
  }
  CHECK_FALSE(std::filesystem::exists(directory));
  CHECK(children_of(::getpid()).empty());
}

TEST_CASE("a stopped supervisor cannot keep a job alive") {
  JobSpec spec = misbehaving({"hang"}, 2);
  Job job(Installation::find(), spec);
  ::kill(supervisor_of_this(), SIGSTOP);
  job.cancel();
  CHECK(job.status().end == JobEnd::lost);
  CHECK(eventually([&] { return processes_of(job.directory()).empty(); }));
}

TEST_CASE("a polite signal to the supervisor ends the job as cancel does") {
  Job job(Installation::find(), misbehaving({"hang"}, 2));
  ::kill(supervisor_of_this(), SIGTERM);
  CHECK(run_to_end(job).end == JobEnd::cancelled);
}

TEST_CASE("directories whose owners are gone are removed by the next job, those of living owners are not") {
  const std::filesystem::path stale = "/dev/shm/p2plab-job-stale1", living = "/dev/shm/p2plab-job-living";
  for (const auto& directory : {stale, living}) {
    std::filesystem::create_directories(directory);
    Fd{::open((directory / "owner").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
  }
  const Fd owner{::open((living / "owner").c_str(), O_RDWR | O_CLOEXEC)};
  REQUIRE(::flock(owner.get(), LOCK_EX) == 0);
  Job job(Installation::find(), misbehaving({"exit", "0"}));
  run_to_end(job);
  CHECK_FALSE(std::filesystem::exists(stale));
  CHECK(std::filesystem::exists(living));
  std::filesystem::remove_all(living);
}

TEST_CASE("a job leaves nothing in shared memory, whatever MPI keeps there") {
  const auto listing = [] {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator("/dev/shm")) {
      const std::string name = entry.path().filename().string();
      if (name.find("mpich") != std::string::npos || name.find("ucx") != std::string::npos) names.push_back(name);
    }
    return names.size();
  };
  const auto before = listing();
  {
    JobSpec spec;
    spec.program = {test_program("launch-mpi-rank"), "deadlock"};
    spec.ranks = 2;
    Job job(Installation::find(), spec);
    CHECK(eventually([&] {
      job.poll();
      return !job.output(0, false).head.empty();
    }));
  }
  CHECK(listing() <= before);
}
