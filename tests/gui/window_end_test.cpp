// How the window ends, what it leaves behind, and what it does while nothing happens.
#include <csignal>
#include <cstdlib>

#include "app/trace/perfetto.h"
#include "tests/gui/temporary.h"
#include "tests/gui/window_fixture.h"

using namespace p2plab;
using namespace p2plab::window_test;
namespace fs = std::filesystem;

namespace {

const std::map<std::string, std::string> kTimed{{"P2PLAB_GUI_TIMING", "1"}};

/// A window of its own that has drawn its first frame.
class Open {
 public:
  explicit Open(const std::vector<std::string>& arguments) : pid_(start_gui(arguments, folder.path / "errors", display(), kTimed)) {
    CHECK(comes_true([this] { return text_of(folder.path / "errors").find("first frame") != std::string::npos; }));
  }
  Outcome end_with(int signal) const {
    ::kill(pid_, signal);
    return outcome_of(pid_, folder.path / "errors");
  }
  Temporary folder;

 private:
  pid_t pid_;
};

/// The word before " frames, " in the report.
int frames(const std::string& report) {
  const std::size_t at = report.find(" frames, ");
  return at == std::string::npos ? -1 : std::atoi(report.c_str() + report.rfind('\n', at) + 1);
}

}  // namespace

TEST_CASE("Ctrl-C and SIGTERM end an idle window with 130; while it was idle nothing was drawn") {
  if (skipped()) return;
  for (const int signal : {SIGINT, SIGTERM}) {
    const Open window({"--demo", "deadlock"});
    ::sleep(3);  // in which a window that draws without need draws a hundred frames
    const auto outcome = window.end_with(signal);
    INFO(outcome.errors);
    CHECK(outcome.status == 130);
    CHECK(frames(outcome.errors) >= 1);
    CHECK(frames(outcome.errors) < 25);
  }
}

TEST_CASE("Ctrl-C in mid-run leaves no process behind and keeps the trace so far") {
  if (skipped()) return;
  const std::string rank = std::string(P2PLAB_BUILD_DIR) + "/lib/p2plab/demo-corruption";
  Temporary folder;
  for (const char* name : {"run.pftrace", "run.json"}) {
    const auto file = folder.path / name;
    const Open window({"--demo", "corruption", "--set", "receiver_delay_ms=5000", "--autorun", "--trace", file.string()});
    CHECK(comes_true([&] { return processes_with(rank) >= 2; }));
    ::sleep(2);  // the sender has sent by then
    const auto outcome = window.end_with(SIGINT);
    INFO(outcome.errors);
    CHECK(outcome.status == 130);
    CHECK(processes_with(rank) == 0);
    REQUIRE(fs::exists(file));
    if (file.extension() == ".json") continue;
    const auto trace = trace::open_perfetto(file);
    CHECK(trace.run.demo == "corruption");
    CHECK(trace.run.ranks == 2);
    CHECK_FALSE(trace.spans().empty());
  }
}

TEST_CASE("a trace that cannot be written is refused before anything runs, with one sentence and status 2") {
  if (skipped()) return;
  Temporary folder;
  const auto outcome = gui({"--demo", "deadlock", "--autorun", "--trace", (folder.path / "none/run.pftrace").string(), "--exit"}, folder.path / "errors", display());
  CHECK(outcome.status == 2);
  CHECK(std::count(outcome.errors.begin(), outcome.errors.end(), '\n') == 1);
  CHECK(outcome.errors.find("run.pftrace") != std::string::npos);
}

TEST_CASE("link, compute and seed are taken as p2plab run takes them, and stand in the trace") {
  if (skipped()) return;
  Temporary folder;
  const auto file = folder.path / "run.pftrace";
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"--demo", "corruption", "--autorun", "--when-done", "--trace", file.string(), "--exit"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return gui(arguments, folder.path / "errors", display());
  };
  const auto good = run({"--link", "ib-ndr", "--compute", "real", "--seed", "7"});
  INFO(good.errors);
  CHECK(good.status == 0);
  const auto trace = trace::open_perfetto(file);
  CHECK(trace.run.link == "ib-ndr");
  CHECK(trace.run.compute == "real");
  CHECK(trace.run.seed == 7);
  for (const auto& wrong : {std::vector<std::string>{"--link", "wire"}, {"--compute", "none"}, {"--seed", "x"}}) {
    const auto outcome = run(wrong);
    INFO(outcome.errors);
    CHECK(outcome.status == 2);
    CHECK(std::count(outcome.errors.begin(), outcome.errors.end(), '\n') == 1);
  }
}

TEST_CASE("a link that is not there is refused before anything is run") {
  if (skipped()) return;
  Temporary folder;
  const auto outcome = gui({"--demo", "deadlock", "--link", "wire", "--exit"}, folder.path / "errors", display());
  CHECK(outcome.status == 2);
  CHECK(outcome.errors.find("wire") != std::string::npos);
}
