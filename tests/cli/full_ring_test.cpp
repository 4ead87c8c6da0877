// What a full ring has lost is no evidence: no run that lost something passes, through the real commands.
#include <signal.h>

#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/trace/record.h"
#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace p2plab;
using cli_test::Running;
using cli_test::Scratch;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// Records lost so far, over all ranks of the one job in this directory.
std::uint64_t lost_in(const fs::path& jobs) {
  std::uint64_t lost = 0;
  std::error_code gone;
  for (const auto& entry : fs::recursive_directory_iterator(jobs, gone)) {
    if (entry.path().extension() != ".feed") continue;
    const std::string feed = cli_test::read_file(entry.path());
    if (feed.size() < sizeof(trace::FeedHeader)) continue;
    alignas(trace::FeedHeader) std::byte room[sizeof(trace::FeedHeader)];
    std::memcpy(room, feed.data(), sizeof room);
    const auto* header = reinterpret_cast<const trace::FeedHeader*>(room);
    for (std::uint32_t i = 0; i < header->rings.load() && i < trace::kMaxRings; ++i) lost += header->ring[i].dropped.load();
  }
  return lost;
}

/// The command's end after it was stopped until a ring had lost something: ranks wait for a reader, and then give up.
cli_test::Ended ended_after_a_loss(std::vector<std::string> arguments) {
  const fs::path jobs = fs::path("/dev/shm") / ("p2plab-test-" + std::to_string(getpid()));
  fs::create_directories(jobs);
  Running running(std::move(arguments), {{"P2PLAB_RING_SLOTS", "16"}, {"P2PLAB_SHM", jobs.string()}});
  const auto has_feed = [&] {
    std::error_code gone;
    for (const auto& entry : fs::recursive_directory_iterator(jobs, gone))
      if (entry.path().extension() == ".feed") return true;
    return false;
  };
  const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  const auto wait_for = [&](const auto& what) {
    while (!what() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  };
  wait_for(has_feed);
  kill(running.pid(), SIGSTOP);
  wait_for([&] { return lost_in(jobs) > 0; });
  CHECK(lost_in(jobs) > 0);
  kill(running.pid(), SIGCONT);
  auto ended = running.wait();
  fs::remove_all(jobs);
  return ended;
}

}  // namespace

TEST_CASE("a run whose ring was full because the lab did not read for long shows nothing, whatever it promised") {
  const auto ended = ended_after_a_loss({"run", "pipeline", "--set", "microbatches=32", "--set", "forward_us=1000", "--set", "backward_us=1000", "--set", "iterations=10", "--timeout", "120", "--json", "-"});
  INFO(ended.out << ended.err);
  CHECK(ended.status == 3);
  const json result = json::parse(ended.out, nullptr, false);
  REQUIRE_FALSE(result.is_discarded());
  CHECK(result["verdict"] == "infra-error");
  CHECK(result["as_promised"] == false);
}

TEST_CASE("a rank that records faster than the lab reads waits for it, loses nothing, and the run says that it waited") {
  for (const char* backend : {"host", "sim"}) {
    const auto ended = cli_test::p2plab({"--lang", "en", "run", "pipeline", "--backend", backend, "--set", "microbatches=32", "--set", "forward_us=1", "--set", "backward_us=1", "--json", "-"},
                                        {{"P2PLAB_RING_SLOTS", "8"}});
    INFO(ended.out << ended.err);
    const json result = json::parse(ended.out, nullptr, false);
    REQUIRE_FALSE(result.is_discarded());
    CHECK(result["verdict"] == "pass");
    CHECK(ended.err.find("had to wait for it") != std::string::npos);
  }
}

TEST_CASE("A correct program is no pass where a ring was full because the lab did not read for long") {
  const Scratch scratch;
  const fs::path right = scratch / "right.c";
  std::ofstream(right) << R"(#include <mpi.h>
int main(int argc, char** argv) {
  int rank, x = 1, y = 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 3000; ++i) MPI_Sendrecv(&x, 1, MPI_INT, 1 - rank, 0, &y, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
)";
  const auto ended = ended_after_a_loss({"verify", right.string(), "--timeout", "300", "--json", "-"});
  INFO(ended.out << ended.err);
  CHECK(ended.status == 3);
  const json result = json::parse(ended.out, nullptr, false);
  REQUIRE_FALSE(result.is_discarded());
  CHECK(result["verdict"] == "infra-error");
  CHECK(ended.err.find("lost because a ring was full") != std::string::npos);
}
