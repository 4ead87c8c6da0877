// The window itself, under Xvfb: started on every demo in both languages, its picture looked at.
#include <cairo.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "app/check/demo_manifest.h"
#include "app/launch/installation.h"
#include "app/report/palette.h"
#include "tests/gui/temporary.h"
#include "tests/support/catch.h"

using namespace p2plab;

namespace {

const std::string kGui = std::string(P2PLAB_BUILD_DIR) + "/bin/p2plab-gui";

/// A virtual display of our own; it picks a free number by itself and goes with the test.
class Display {
 public:
  Display() {
    int ends[2];
    if (::pipe(ends) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      const std::string fd = std::to_string(ends[1]);
      ::close(ends[0]);
      if (!std::freopen("/dev/null", "w", stderr)) ::_exit(1);
      ::execlp("Xvfb", "Xvfb", "-displayfd", fd.c_str(), "-screen", "0", "1600x1000x24", "-nolisten", "tcp", "-noreset", static_cast<char*>(nullptr));
      ::_exit(127);
    }
    ::close(ends[1]);
    char number[16] = {};
    const auto got = ::read(ends[0], number, sizeof number - 1);  // blocks until it is ready, or gone
    // The read end stays open: a server that resets writes its number again, and would be killed by SIGPIPE.
    if (got > 0) name_ = ":" + std::to_string(std::atoi(number));
  }
  ~Display() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
  }
  const std::string& name() const { return name_; }

 private:
  pid_t pid_ = -1;
  std::string name_;
};

const std::string& display() {
  static Display one;
  return one.name();
}

struct Outcome {
  int status = -1;
  std::string errors;
};

/// Runs the window with these arguments; a hang is ended after two minutes.
Outcome gui(const std::vector<std::string>& arguments, const std::filesystem::path& errors, const std::string& on) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (on.empty()) ::unsetenv("DISPLAY");
    else ::setenv("DISPLAY", on.c_str(), 1);
    ::unsetenv("WAYLAND_DISPLAY");
    ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    if (!std::freopen(errors.c_str(), "w", stderr)) ::_exit(126);
    std::vector<char*> argv{const_cast<char*>(kGui.c_str())};
    for (const auto& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
    argv.push_back(nullptr);
    ::alarm(120);
    ::execv(kGui.c_str(), argv.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  std::ifstream in(errors);
  std::stringstream text;
  text << in.rdbuf();
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text.str()};
}

struct Look {
  int width = 0, height = 0;
  std::size_t colours = 0;
  std::map<std::uint32_t, int> pixels;  ///< of each colour
};

Look look(const std::filesystem::path& png) {
  cairo_surface_t* surface = cairo_image_surface_create_from_png(png.c_str());
  Look out{cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface), 0, {}};
  const auto* data = cairo_image_surface_get_data(surface);
  for (int y = 0; data && y < out.height; ++y)
    for (int x = 0; x < out.width; ++x)
      ++out.pixels[*reinterpret_cast<const std::uint32_t*>(data + y * cairo_image_surface_get_stride(surface) + x * 4) & 0xffffff];
  out.colours = out.pixels.size();
  cairo_surface_destroy(surface);
  return out;
}

bool skipped() {
  if (launch::find_program("Xvfb").empty()) {
    WARN("skipped: Xvfb is missing (sudo apt install xvfb)");
    return true;
  }
  REQUIRE_FALSE(display().empty());
  return false;
}

}  // namespace

TEST_CASE("every demo runs in the window in both languages and leaves a picture") {
  if (skipped()) return;
  const auto demos = check::load_demos(std::filesystem::path(P2PLAB_SOURCE_DIR) / "demos");
  REQUIRE_FALSE(demos.empty());
  Temporary folder;
  for (const auto& demo : demos)
    for (const char* language : {"en", "zh"}) {
      INFO(demo.id << " " << language);
      const auto png = folder.path / (demo.id + "-" + language + ".png");
      const auto outcome = gui({"--demo", demo.id, "--autorun", "--when-done", "--lang", language, "--screenshot", png.string(), "--exit"}, folder.path / "errors", display());
      INFO(outcome.errors);
      CHECK(outcome.status == 0);
      const auto seen = look(png);
      CHECK(seen.width == 1280);
      CHECK(seen.height == 800);
      CHECK(seen.colours > 200);
    }
}

TEST_CASE("the two languages and the two themes look different") {
  if (skipped()) return;
  Temporary folder;
  std::set<std::string> pictures;
  for (const char* language : {"en", "zh"})
    for (const char* theme : {"dark", "light"}) {
      const auto png = folder.path / (std::string(language) + theme + ".png");
      REQUIRE(gui({"--lang", language, "--theme", theme, "--screenshot", png.string(), "--exit"}, folder.path / "errors", display()).status == 0);
      std::ifstream in(png, std::ios::binary);
      pictures.insert(std::string(std::istreambuf_iterator<char>(in), {}));
    }
  CHECK(pictures.size() == 4);
}

TEST_CASE("the window draws at small sizes and large scales") {
  if (skipped()) return;
  Temporary folder;
  for (const auto& [size, scale, width, height] : {std::tuple{"800x600", "1.0", 800, 600}, std::tuple{"1000x700", "1.5", 1000, 700}, std::tuple{"1600x1000", "2.5", 1600, 1000}}) {
    const auto png = folder.path / "shot.png";
    REQUIRE(gui({"--size", size, "--scale", scale, "--screenshot", png.string(), "--exit"}, folder.path / "errors", display()).status == 0);
    const auto seen = look(png);
    CHECK(seen.width == width);
    CHECK(seen.height == height);
    CHECK(seen.colours > 50);
  }
}

TEST_CASE("at 800x600 and scale 2 timeline and verdict are both in sight, in both languages and themes") {
  if (skipped()) return;
  Temporary folder;
  for (const char* language : {"en", "zh"})
    for (const auto theme : {report::Theme::dark, report::Theme::light}) {
      INFO(language << (theme == report::Theme::dark ? " dark" : " light"));
      const auto png = folder.path / "low.png";
      REQUIRE(gui({"--demo", "deadlock", "--autorun", "--when-done", "--lang", language, "--theme", theme == report::Theme::dark ? "dark" : "light", "--size", "800x600",
                   "--scale", "2", "--screenshot", png.string(), "--exit"},
                  folder.path / "errors", display()).status == 0);
      const auto seen = look(png);
      const auto of = [&](report::Ink ink) { return seen.pixels.contains(report::colour(report::palette(theme), ink)) ? seen.pixels.at(report::colour(report::palette(theme), ink)) : 0; };
      CHECK(of(report::Ink::send) > 10'000);  // both sends of the deadlock, as blocks
      CHECK(of(report::Ink::bad) > 50);       // the verdict's sign and word
    }
}

TEST_CASE("the fonts have a picture for every character of every text") {
  if (skipped()) return;
  Temporary folder;
  const auto outcome = gui({"--check-glyphs"}, folder.path / "errors", display());
  if (outcome.errors.find("fonts-noto-cjk") != std::string::npos) {
    WARN("skipped: no Chinese font (sudo apt install fonts-noto-cjk)");
    return;
  }
  CHECK(outcome.status == 0);
}

TEST_CASE("without a display one sentence is said, and the status is 2") {
  Temporary folder;
  const auto outcome = gui({}, folder.path / "errors", "");
  CHECK(outcome.status == 2);
  CHECK(std::count(outcome.errors.begin(), outcome.errors.end(), '\n') == 1);
}

TEST_CASE("what cannot be meant is refused with one sentence, before a window opens") {
  Temporary folder;
  const std::vector<std::vector<std::string>> wrong{{"--demo", "nothing"}, {"--size", "big"}, {"--theme", "pink"}, {"--scale", "9"}, {"--lang", "fr"},
                                                    {"--demo", "deadlock", "--set", "bytes"}, {"--what"}};
  for (const auto& arguments : wrong) {
    INFO(arguments.back());
    const auto outcome = gui(arguments, folder.path / "errors", launch::find_program("Xvfb").empty() ? "" : display());
    CHECK(outcome.status == 2);
    CHECK(std::count(outcome.errors.begin(), outcome.errors.end(), '\n') == 1);
  }
}
