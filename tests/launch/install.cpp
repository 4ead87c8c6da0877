// An installation, moved to an awkward place: it is complete, and a copy of a demo compiles and runs against it.
#include <unistd.h>

#include <fstream>

#include "app/launch/compile.h"
#include "app/trace/error.h"
#include "tests/launch/support.h"
#include "tests/support/catch.h"

using namespace p2plab;
using namespace p2plab::launch;

namespace {

/// `cmake --install` of this build, then moved as a whole; removed at the end.
struct Moved {
  Moved() {
    const auto base = std::filesystem::temp_directory_path() / ("p2plab-install-" + std::to_string(::getpid()));
    const auto first = base / "first";
    folder = base / "实验 台";
    std::filesystem::remove_all(base);
    JobSpec install;
    install.program = {"cmake", "--install", P2PLAB_BUILD_DIR, "--prefix", first.string()};
    install.use_mpiexec = false;
    Job job(Installation::find(), install);
    const JobStatus& status = run_to_end(job);
    INFO(job.output(0, false).text() << job.output(0, true).text());
    REQUIRE(status.exit_status == 0);
    std::filesystem::rename(first, folder);
  }
  ~Moved() { std::filesystem::remove_all(folder.parent_path()); }
  std::filesystem::path folder;
};

JobStatus finish(const Installation& installation, const JobSpec& spec, std::string& words) {
  Job job(installation, spec);
  const JobStatus status = run_to_end(job);
  words = job.output(0, true).text() + job.output(-1, true).text();
  return status;
}

}  // namespace

TEST_CASE("an installation that was moved starts jobs, and a learner's copy of a demo compiles and runs against it") {
  const Moved moved;
  const Installation installation{moved.folder};
  const auto copy = moved.folder / "我的 copy.cpp", program = moved.folder / "我的 program";
  std::filesystem::copy_file(installation.demos() / "deadlock/deadlock.cpp", copy);
  std::string words;
  const JobSpec compile = compile_job(installation, {installation.demos() / "deadlock", "deadlock.cpp", copy, program});
  const JobStatus compiled = finish(installation, compile, words);
  INFO(words);
  REQUIRE(compiled.exit_status == 0);
  REQUIRE(words.empty());

  for (const auto& which : {program, installation.lib() / "demo-deadlock"}) {
    JobSpec run;
    run.program = {which.string(), "--set", "variant=sendrecv", "--set", "bytes=65536"};
    run.ranks = 2;
    const JobStatus ran = finish(installation, run, words);
    INFO(words);
    CHECK(ran.end == JobEnd::finished);
    CHECK(ran.exit_status == 0);
  }
}

TEST_CASE("a learner's copy of a demo that shares the code of another one compiles with it") {
  const auto installation = Installation::find();
  const auto copy = std::filesystem::temp_directory_path() / ("p2plab-shares-" + std::to_string(::getpid()) + ".cpp");
  const std::filesystem::path program = copy.string() + ".out";
  std::filesystem::copy_file(installation.demos() / "schedules/schedules.cpp", copy);
  std::string words;
  const JobSpec compile = compile_job(installation, {std::filesystem::canonical(installation.demos() / "schedules"), "schedules.cpp", copy, program, "pipeline"});
  const JobStatus status = finish(installation, compile, words);
  INFO(words);
  CHECK(status.exit_status == 0);
  CHECK(std::filesystem::exists(program));
  std::filesystem::remove(copy);
  std::filesystem::remove(program);
}

TEST_CASE("the compiler's complaints about a copy are captured") {
  const auto installation = Installation::find();
  const auto copy = std::filesystem::temp_directory_path() / ("p2plab-broken-" + std::to_string(::getpid()) + ".cpp");
  std::ofstream(copy) << "int main() { return undeclared; }\n";
  std::string words;
  const auto spec = compile_job(installation, {installation.demos() / "deadlock", "deadlock.cpp", copy, copy.string() + ".out"});
  const JobStatus status = finish(installation, spec, words);
  std::filesystem::remove(copy);
  CHECK(status.exit_status == 1);
  CHECK(words.find("undeclared") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(copy.string() + ".out"));
}

TEST_CASE("an installation without its parts says so") {
  ::setenv("P2PLAB_PREFIX", "/nowhere", 1);
  try {
    Installation::find();
    FAIL("an empty place was taken for an installation");
  } catch (const Error& error) {
    CHECK(error.text().id == "installation.incomplete");
  }
  ::unsetenv("P2PLAB_PREFIX");
}
