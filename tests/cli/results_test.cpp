// Files for results: no command leaves an earlier result once it has begun, none takes away what it reads, and one file that cannot be
// written keeps no other from being written.
#include <signal.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace cli_test;
using nlohmann::json;

namespace {

constexpr const char* kOld = "an earlier result";

/// True once the file is gone, or holds something else.
bool is_replaced(const fs::path& file) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < until) {
    if (read_file(file) != kOld) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

}  // namespace

TEST_CASE("A command that is killed once it has begun leaves no earlier result") {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"claim", "run", "--all"}, {"bench", "sim", "--seconds", "60"}, {"doctor"}}) {
    INFO(words[0]);
    const Scratch scratch;
    const fs::path file = scratch / "r.json";
    std::ofstream(file) << kOld;
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--json", file.string()});
    Running command(all, {{"XDG_DATA_HOME", (scratch / "data").string()}});
    CHECK(is_replaced(file));
    kill(command.pid(), SIGKILL);
    command.wait();
    CHECK(read_file(file) != kOld);
  }
}

TEST_CASE("A schedule that cannot be run leaves no earlier result, and a command line that is refused takes nothing away") {
  const Scratch scratch;
  const fs::path broken = scratch / "broken.csv", file = scratch / "r.json";
  std::ofstream(broken) << "0F0,0F0\n";
  std::ofstream(file) << kOld;
  CHECK(p2plab({"sim", broken.string(), "--json", file.string()}).status == 2);
  CHECK_FALSE(fs::exists(file));
  std::ofstream(file) << kOld;
  CHECK(p2plab({"sim", "--json", file.string()}).status == 2);
  CHECK(p2plab({"claim", "run", "no-such-claim", "--json", file.string()}).status == 2);
  CHECK(p2plab({"mock", "--html", file.string()}).status == 2);  // nobody answers
  CHECK(read_file(file) == kOld);
}

TEST_CASE("What a command reads is not taken away, though it also writes there") {
  const Scratch scratch;
  const fs::path csv = scratch / "mine.csv";
  REQUIRE(p2plab({"sim", "1f1b", "-p", "4", "-m", "8", "--csv", csv.string()}).status == 0);
  const std::string before = read_file(csv);
  const Ended again = p2plab({"sim", csv.string(), "--csv", csv.string()});
  INFO(again.err);
  CHECK(again.status == 0);
  CHECK(read_file(csv) == before);
}

TEST_CASE("A picture that cannot be written keeps neither another nor the result from being written") {
  const Scratch scratch;
  const fs::path csv = scratch / "s.csv", file = scratch / "r.json";
  const Ended ended = p2plab({"sim", "1f1b", "-p", "4", "-m", "8", "--svg", "/dev/full", "--csv", csv.string(), "--json", file.string(), "--lang", "en"});
  INFO(ended.err);
  CHECK(ended.status == 2);
  CHECK(ended.err.find("/dev/full") != std::string::npos);
  CHECK(fs::exists(csv));
  CHECK(json::parse(read_file(file))["schema"] == "p2plab.sim/1");
}
