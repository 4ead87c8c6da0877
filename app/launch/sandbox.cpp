// See sandbox.h.
#include "app/launch/sandbox.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "app/launch/environment.h"
#include "app/launch/fd.h"
#include "app/launch/installation.h"
#include "app/launch/spawn.h"

namespace p2plab::launch {

namespace {

/// Everything of the system can be read; what may be written is new and goes with the job. No process outside can be seen, and
/// so none can be killed or entered; root is a user like any other there.
std::vector<std::string> walls() {
  return {find_program("bwrap").string(), "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc",
          "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--unshare-net", "--unshare-ipc",
          "--unshare-pid", "--cap-drop", "ALL"};
}

bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const std::filesystem::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

bool trial() {
  std::vector<std::string> words = walls();
  for (const char* word : {"--", "/bin/true"}) words.emplace_back(word);
  const Fd nothing{::open("/dev/null", O_RDWR | O_CLOEXEC)};
  Spawn what;
  what.arguments = std::move(words);
  what.environment = job_environment({});
  what.descriptors = {{nothing.get(), STDIN_FILENO}, {nothing.get(), STDOUT_FILENO}, {nothing.get(), STDERR_FILENO}};
  const pid_t pid = spawn(what);
  int status = 1;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string reason() {
  const char* wanted = std::getenv("P2PLAB_SANDBOX");
  if (wanted != nullptr && std::string_view(wanted) == "off") return "off";
  if (find_program("bwrap").empty()) return "missing";
  return trial() ? "" : "refused";
}

}  // namespace

const std::string& no_sandbox_reason() {
  static const std::string kReason = reason();
  return kReason;
}

std::vector<std::string> sandbox(const std::vector<std::filesystem::path>& visible, const std::vector<std::filesystem::path>& hidden,
                                 const std::filesystem::path& writable) {
  if (!no_sandbox_reason().empty()) return {};
  std::vector<std::string> words = walls();
  // Of shared memory only the job's own directory is there; MPICH makes its segments in a new one.
  for (const char* word : {"--bind", kOwnDirectory, kOwnDirectory}) words.emplace_back(word);
  for (const auto& path : visible) words.insert(words.end(), {"--ro-bind", path.string(), path.string()});
  // Below a private /tmp nothing is there anyhow, unless it was made visible.
  const auto is_there = [&](const std::filesystem::path& path) {
    return !lies_in(path, "/tmp") || std::any_of(visible.begin(), visible.end(), [&](const std::filesystem::path& shown) { return lies_in(path, shown); });
  };
  for (const auto& path : hidden)
    if (std::filesystem::is_directory(path) && is_there(path)) words.insert(words.end(), {"--tmpfs", path.string()});
  words.insert(words.end(), {"--bind", writable.string(), writable.string(), "--chdir", writable.string(), "--"});
  return words;
}

}  // namespace p2plab::launch
