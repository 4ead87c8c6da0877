// Ranks that flood, crash or end oddly: the window goes on drawing and says what happened.
#include <chrono>
#include <cstdlib>

#include "tests/gui/temporary.h"
#include "tests/gui/window_fixture.h"

using namespace p2plab;
using namespace p2plab::window_test;
namespace fs = std::filesystem;

namespace {

/// An installation with one more demo: the demo `corruption` behind a script that misbehaves on rank 1.
class Misbehaving {
 public:
  explicit Misbehaving(const std::string& on_rank_1) {
    const fs::path built = P2PLAB_BUILD_DIR, lib = prefix() / "lib/p2plab", demo = prefix() / "share/p2plab/demos/odd";
    fs::create_directories(lib);
    fs::create_directories(demo);
    fs::create_directory_symlink(built / "bin", prefix() / "bin");
    fs::create_directory_symlink(fs::path(P2PLAB_SOURCE_DIR) / "assets", prefix() / "share/p2plab/assets");
    for (const auto& entry : fs::directory_iterator(built / "lib/p2plab")) fs::create_symlink(entry.path(), lib / entry.path().filename());
    std::ifstream manifest(fs::path(P2PLAB_SOURCE_DIR) / "demos/corruption/demo.toml");
    std::string text((std::istreambuf_iterator<char>(manifest)), {});
    const std::string id = "id = \"corruption\"";
    text.replace(text.find(id), id.size(), "id = \"odd\"");
    std::ofstream(demo / "demo.toml") << text;
    fs::create_symlink(fs::path(P2PLAB_SOURCE_DIR) / "demos/corruption/corruption.cpp", demo / "corruption.cpp");
    std::ofstream(lib / "demo-odd") << "#!/bin/sh\n[ \"$PMI_RANK\" = 1 ] && { " << on_rank_1 << "; }\nexec " << (lib / "demo-corruption") << " \"$@\"\n";
    fs::permissions(lib / "demo-odd", fs::perms::owner_all);
  }
  /// Runs it in the window to its `end`; the receiver is busy for `delay` ms, in which nothing is recorded.
  Outcome run(const fs::path& picture, const std::string& delay, const std::vector<std::string>& end = {"--when-done"}) const {
    std::vector<std::string> arguments{"--demo", "odd", "--set", "variant=wait-first", "--set", "receiver_delay_ms=" + delay, "--autorun", "--tab", "log",
                                       "--screenshot", picture.string(), "--exit"};
    arguments.insert(arguments.end(), end.begin(), end.end());
    return gui(arguments, folder_.path / "errors", display(), {{"P2PLAB_PREFIX", prefix().string()}, {"P2PLAB_GUI_TIMING", "1"}});
  }
  /// Processes of its ranks that are there still.
  int left() const { return processes_with(prefix().string()); }
  fs::path prefix() const { return folder_.path / "lab"; }
  fs::path picture() const { return folder_.path / "shot.png"; }

 private:
  Temporary folder_;
};

/// The window is drawn twice a second while ranks run, on a busy machine less often.
constexpr double kFrozenMs = 2000;

/// The longest time without a frame while ranks ran, in ms; nothing is -1.
double longest_gap(const std::string& report) {
  const std::size_t at = report.find("longest gap ");
  return at == std::string::npos ? -1 : std::strtod(report.c_str() + at + 12, nullptr);
}

}  // namespace

TEST_CASE("a rank that prints gigabytes never freezes the window, and its log is there when the run has passed") {
  if (skipped()) return;
  for (const char* flood : {"timeout 60 yes 'a line of the flood, 一行日志' & timeout 60 yes >&2 &", "timeout 60 cat /dev/urandom &"}) {
    INFO(flood);
    const Misbehaving lab(std::string(flood) + " true");
    const auto outcome = lab.run(lab.picture(), "5000");
    INFO(outcome.errors);
    CHECK(outcome.status == 0);
    const double gap = longest_gap(outcome.errors);
    CHECK(gap >= 0);
    CHECK(gap < kFrozenMs);
    const auto seen = look(lab.picture());
    CHECK(pixels(seen, report::Ink::good) > 15);  // passed, as promised
    CHECK(pixels(seen, report::Ink::bad) == 0);
  }
}

TEST_CASE("a rank that crashes in mid-run leaves its spans and the word Crash in the window") {
  if (skipped()) return;
  const Misbehaving lab("(sleep 1; kill -SEGV $$) & true");
  const auto outcome = lab.run(lab.picture(), "5000");
  INFO(outcome.errors);
  CHECK(outcome.status == 1);  // not as promised, as with p2plab run
  const auto seen = look(lab.picture());
  CHECK(pixels(seen, report::Ink::bad) > 100);
  CHECK(pixels(seen, report::Ink::other) > 10'000);  // "the receiver is busy", up to the crash
}

TEST_CASE("a rank that ends at once with another status than 0 is told, and the window lives on") {
  if (skipped()) return;
  const Misbehaving lab("echo 'out of luck' >&2; exit 3");
  const auto start = std::chrono::steady_clock::now();
  const auto outcome = lab.run(lab.picture(), "100");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(45));  // not the run's limit of a minute: nobody waits for it
  INFO(outcome.errors);
  CHECK(outcome.status == 1);
  CHECK(pixels(look(lab.picture()), report::Ink::bad) > 100);
}

TEST_CASE("a rank that never comes to MPI, or is stopped in mid-run, leaves the window alive and nothing behind when it closes") {
  if (skipped()) return;
  for (const char* on_rank_1 : {"sleep 100", "(sleep 1; kill -STOP $$) & true"}) {
    INFO(on_rank_1);
    const Misbehaving lab(on_rank_1);
    const auto outcome = lab.run(lab.picture(), "5000", {"--after", "5"});
    INFO(outcome.errors);
    CHECK(outcome.status == 0);  // it has not ended, so there is no verdict
    const double gap = longest_gap(outcome.errors);
    CHECK(gap >= 0);
    CHECK(gap < kFrozenMs);
    CHECK(pixels(look(lab.picture()), report::Ink::good) == 0);
    CHECK(lab.left() == 0);
  }
}
