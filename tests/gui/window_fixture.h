// The window under a virtual display of its own, and a look at the picture it leaves.
#pragma once
#include <cairo.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/launch/installation.h"
#include "app/report/palette.h"
#include "tests/support/catch.h"

namespace p2plab::window_test {

inline const std::string kGui = std::string(P2PLAB_BUILD_DIR) + "/bin/p2plab-gui";

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

inline const std::string& display() {
  static Display one;
  return one.name();
}

struct Outcome {
  int status = -1;
  std::string errors, out;
};

inline std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Starts the window with these arguments; a hang is ended after two minutes.
inline pid_t start_gui(const std::vector<std::string>& arguments, const std::filesystem::path& errors, const std::string& on,
                       const std::map<std::string, std::string>& environment = {}) {
  std::fflush(nullptr);  // what is still unwritten is not the child's
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (on.empty()) ::unsetenv("DISPLAY");
    else ::setenv("DISPLAY", on.c_str(), 1);
    ::unsetenv("WAYLAND_DISPLAY");
    ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    ::setenv("XDG_DATA_HOME", (errors.string() + ".data").c_str(), 1);  // what a window keeps is not the learner's
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    if (!std::freopen(errors.c_str(), "w", stderr) || !std::freopen((errors.string() + ".out").c_str(), "w", stdout)) ::_exit(126);
    std::vector<char*> argv{const_cast<char*>(kGui.c_str())};
    for (const auto& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
    argv.push_back(nullptr);
    ::alarm(120);
    ::execv(kGui.c_str(), argv.data());
    ::_exit(127);
  }
  return pid;
}

/// Waits for its end.
inline Outcome outcome_of(pid_t window, const std::filesystem::path& errors) {
  int status = 0;
  ::waitpid(window, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(errors), text_of(errors.string() + ".out")};
}

inline Outcome gui(const std::vector<std::string>& arguments, const std::filesystem::path& errors, const std::string& on,
                   const std::map<std::string, std::string>& environment = {}) {
  return outcome_of(start_gui(arguments, errors, on, environment), errors);
}

/// How many processes there are with this word in their command line.
inline int processes_with(const std::string& word) {
  int out = 0;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) out += text_of(entry.path() / "cmdline").find(word) != std::string::npos;
  return out;
}

/// Waits, for half a minute at most, until something has come true.
template <class F>
bool comes_true(F what) {
  for (int i = 0; i < 600; ++i) {
    if (what()) return true;
    ::usleep(50'000);
  }
  return false;
}

/// A part of a picture, in pixels.
struct Part {
  float x = 0, y = 0, w = 0, h = 0;
  float right() const { return x + w; }
  float bottom() const { return y + h; }
};

struct Look {
  int width = 0, height = 0;
  std::size_t colours = 0;
  std::map<std::uint32_t, int> pixels;  ///< of each colour
};

/// The whole picture, or a part of it.
inline Look look(const std::filesystem::path& png, std::optional<Part> part = std::nullopt) {
  cairo_surface_t* surface = cairo_image_surface_create_from_png(png.c_str());
  Look out{cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface), 0, {}};
  const auto* data = cairo_image_surface_get_data(surface);
  const auto within = [](float at, float from, float to) { return at >= from && at < to; };
  for (int y = 0; data && y < out.height; ++y)
    for (int x = 0; x < out.width; ++x)
      if (!part || (within(static_cast<float>(x), part->x, part->right()) && within(static_cast<float>(y), part->y, part->bottom())))
      ++out.pixels[*reinterpret_cast<const std::uint32_t*>(data + y * cairo_image_surface_get_stride(surface) + x * 4) & 0xffffff];
  out.colours = out.pixels.size();
  cairo_surface_destroy(surface);
  return out;
}

/// In how many separate bands, one below the other, this colour stands within a part of the picture.
inline int bands(const std::filesystem::path& png, Part part, report::Rgb rgb) {
  cairo_surface_t* surface = cairo_image_surface_create_from_png(png.c_str());
  const auto* data = cairo_image_surface_get_data(surface);
  const int wide = std::min(cairo_image_surface_get_width(surface), static_cast<int>(part.right()));
  int out = 0;
  bool before = false;
  for (int y = static_cast<int>(part.y); data && y < std::min(cairo_image_surface_get_height(surface), static_cast<int>(part.bottom())); ++y) {
    int here = 0;
    for (int x = static_cast<int>(part.x); x < wide; ++x)
      here += (*reinterpret_cast<const std::uint32_t*>(data + y * cairo_image_surface_get_stride(surface) + x * 4) & 0xffffff) == rgb;
    out += here > 4 && !before;
    before = here > 4;
  }
  cairo_surface_destroy(surface);
  return out;
}

inline bool skipped() {
  if (launch::find_program("Xvfb").empty()) {
    WARN("skipped: Xvfb is missing (sudo apt install xvfb)");
    return true;
  }
  REQUIRE_FALSE(display().empty());
  return false;
}

/// Pixels of exactly this colour of the dark theme.
inline int pixels(const Look& seen, report::Ink ink, report::Theme theme = report::Theme::dark) {
  const auto found = seen.pixels.find(report::colour(report::palette(theme), ink));
  return found == seen.pixels.end() ? 0 : found->second;
}

}  // namespace p2plab::window_test
