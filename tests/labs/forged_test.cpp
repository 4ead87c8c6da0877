// A program that mends its records instead of itself: the virtual world's own log finds it.
#include "tests/labs/toy_lab.h"
#include "tests/support/catch.h"

using namespace p2plab;
using analysis::Verdict;
namespace fs = std::filesystem;

namespace {

std::string contents(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

check::LabResult checked(const std::string& text) {
  const fs::path folder = fs::temp_directory_path() / ("p2plab-forged-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "one_f_one_b.cpp") << text;
  check::LabRequest request;
  request.work = folder / "one_f_one_b.cpp";
  const auto installation = toy::installation();
  auto result = check::check_lab(installation, check::load_lab(fs::path(P2PLAB_SOURCE_DIR) / "labs/10-1f1b"), request);
  fs::remove_all(folder);
  return result;
}

fs::path lab() { return fs::path(P2PLAB_SOURCE_DIR) / "labs/10-1f1b"; }

// Lets the rank record into a folder of its own, shortens every time in it at the end, and hands that over as its feed.
constexpr const char* kShortenTimes = R"(
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>
#include "app/trace/record.h"
namespace {
namespace fs = std::filesystem;
struct Forger {
  fs::path job, own;
  Forger() {
    if (std::getenv("P2PLAB_JOB") == nullptr) return;
    job = std::getenv("P2PLAB_JOB");
    own = fs::temp_directory_path() / ("own-" + std::to_string(getpid()));  // outside a sandbox the runs of a lab share it
    fs::remove_all(own);
    fs::create_directories(own);
    for (const auto& entry : fs::directory_iterator(job))
      if (entry.path().extension() != ".feed") fs::create_symlink(entry.path(), own / entry.path().filename());
    setenv("P2PLAB_JOB", own.c_str(), 1);
  }
  ~Forger() {
    using namespace p2plab::trace;
    if (own.empty()) return;
    const std::string name = "rank-" + std::string(std::getenv("PMI_RANK")) + ".feed";
    std::ifstream in(own / name, std::ios::binary);
    std::string all(std::istreambuf_iterator<char>(in), {});
    for (std::size_t at = kHeaderBytes + kStringBytes; at + sizeof(Record) <= all.size(); at += sizeof(Record)) {
      Record& record = reinterpret_cast<Record&>(all[at]);
      if (record.ticks > 0 && record.ticks < 1'000'000'000) record.ticks = record.ticks * 63 / 86;
    }
    std::ofstream(job / ("." + name), std::ios::binary) << all;
    fs::rename(job / ("." + name), job / name);
    fs::remove_all(own);
  }
} forger;
}
)";

}  // namespace

TEST_CASE("Shortened times do not make a long step short") {
  const std::string slow = contents(lab() / "mutants/no-eager.cpp");
  CHECK(checked(slow).first_failure()->id == "eager-makespan");
  const check::LabResult forged = checked(slow + kShortenTimes);
  REQUIRE(forged.first_failure() != nullptr);
  INFO(forged.first_failure()->what.id);
  CHECK(forged.verdict == Verdict::fail);
  CHECK(forged.first_failure()->id == "trace");
  CHECK(forged.score == 0);
}

TEST_CASE("A computation that is cut short is no way to a short step") {
  std::string quick = contents(lab() / "solution.cpp");
  const std::string call = "stage.forward(i);";
  REQUIRE(quick.find(call) != std::string::npos);
  quick.replace(quick.find(call), call.size(), "if (i % 2 == 0) stage.forward(i); else { world.compute({p2p::Kind::forward, {}, i, -1, stage.rank()}, std::chrono::microseconds(10), [] {}); world.stream(\"compute\").synchronize(); }");
  const check::LabResult result = checked(quick);
  REQUIRE(result.first_failure() != nullptr);
  CHECK(result.first_failure()->id == "trace");
  CHECK(result.first_failure()->what.id == "lab-detail.forged-compute");
}
