// The window under a virtual display of its own, and a look at the picture it leaves.
#pragma once
#include <cairo.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
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
  std::string errors;
};

/// Runs the window with these arguments; a hang is ended after two minutes.
inline Outcome gui(const std::vector<std::string>& arguments, const std::filesystem::path& errors, const std::string& on,
                   const std::map<std::string, std::string>& environment = {}) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (on.empty()) ::unsetenv("DISPLAY");
    else ::setenv("DISPLAY", on.c_str(), 1);
    ::unsetenv("WAYLAND_DISPLAY");
    ::setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
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

inline Look look(const std::filesystem::path& png) {
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
