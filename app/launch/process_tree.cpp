// Processes of a tree through /proc and pidfd.
#include "app/launch/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_set>

#include "app/launch/fd.h"

namespace p2plab::launch {
namespace {

/// All of a small file of /proc; empty when the process is gone.
std::string read_proc(pid_t pid, const char* name) {
  const std::string path = "/proc/" + std::to_string(pid) + "/" + name;
  const Fd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  std::string text;
  char buffer[4096];
  for (ssize_t n; file && (n = ::read(file.get(), buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(n));
  }
  return text;
}

/// Field `number` (from 1, as in proc(5)) of /proc/PID/stat, number >= 4; -1 when the process is gone.
long long stat_field(const std::string& stat, int number) {
  const auto name_end = stat.rfind(')');  // the name may hold spaces and brackets
  if (name_end == std::string::npos) return -1;
  const char* at = stat.c_str() + name_end + 1;
  for (int field = 3; field < number; ++field) {
    at = std::strchr(at + 1, ' ');
    if (at == nullptr) return -1;
  }
  return std::strtoll(at, nullptr, 10);
}

pid_t parent_of(pid_t pid) { return static_cast<pid_t>(stat_field(read_proc(pid, "stat"), 4)); }

template <class Visit>
void each_number(const std::string& directory, Visit visit) {
  DIR* dir = ::opendir(directory.c_str());
  if (dir == nullptr) return;
  while (const dirent* entry = ::readdir(dir)) {
    if (const int number = std::atoi(entry->d_name); number > 0) visit(static_cast<pid_t>(number));
  }
  ::closedir(dir);
}

bool has_children_files() {
  static const bool has = ::access("/proc/thread-self/children", R_OK) == 0;
  return has;
}

/// The last number of "NSpid:", which has one for each namespace from here to its own; 0 when the process is gone.
pid_t own_id(pid_t pid, const char* status) {
  const std::string text = read_proc(pid, status);
  const auto line = text.find("\nNSpid:");
  if (line == std::string::npos) return 0;
  const auto end = text.find('\n', line + 1), last = text.find_last_of("\t ", end);
  return static_cast<pid_t>(std::atoi(text.c_str() + last + 1));
}

bool is_below(pid_t pid, pid_t ancestor) {
  for (int depth = 0; pid > 1 && depth < 10'000; ++depth) {
    pid = parent_of(pid);
    if (pid == ancestor) return true;
  }
  return false;
}

}  // namespace

std::vector<pid_t> children_of(pid_t pid) {
  std::vector<pid_t> children;
  if (!has_children_files()) {  // a kernel without CONFIG_PROC_CHILDREN
    each_number("/proc", [&](pid_t other) {
      if (parent_of(other) == pid) children.push_back(other);
    });
    return children;
  }
  each_number("/proc/" + std::to_string(pid) + "/task", [&](pid_t thread) {
    const std::string list = read_proc(pid, ("task/" + std::to_string(thread) + "/children").c_str());
    for (const char* at = list.c_str(); *at != '\0';) {
      char* end = nullptr;
      const long child = std::strtol(at, &end, 10);
      if (end == at) break;
      children.push_back(static_cast<pid_t>(child));
      at = end + (*end == ' ' ? 1 : 0);
    }
  });
  return children;
}

std::vector<pid_t> descendants_of(pid_t pid) {
  std::vector<pid_t> found = children_of(pid);
  std::unordered_set<pid_t> seen(found.begin(), found.end());
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (pid_t child : children_of(found[i])) {
      if (seen.insert(child).second) found.push_back(child);  // one may change its parent while we walk
    }
  }
  return found;
}

pid_t process_known_as(pid_t own, pid_t ancestor) {
  for (const pid_t pid : descendants_of(ancestor))
    if (own_id(pid, "status") == own) return pid;
  return 0;
}

std::map<pid_t, pid_t> threads_of(pid_t pid) {
  std::map<pid_t, pid_t> threads;
  each_number("/proc/" + std::to_string(pid) + "/task", [&](pid_t thread) {
    threads[own_id(pid, ("task/" + std::to_string(thread) + "/status").c_str())] = thread;
  });
  return threads;
}

pid_t session_of(pid_t pid) { return static_cast<pid_t>(stat_field(read_proc(pid, "stat"), 6)); }

bool has_environment(pid_t pid, const std::string& entry) {
  return ('\0' + read_proc(pid, "environ")).find('\0' + entry + '\0') != std::string::npos;
}

void kill_descendant(pid_t pid, pid_t ancestor) {
  const Fd process{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))};
  // The number was read before it was opened, so ask again who this is. From here on the descriptor names one process
  // for good: if that one dies now, the signal goes nowhere.
  if (process && is_below(pid, ancestor)) ::syscall(SYS_pidfd_send_signal, process.get(), SIGKILL, nullptr, 0);
}

bool end_children(const std::function<bool(pid_t)>& chosen, int timeout_ms) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::milliseconds{timeout_ms};
  const pid_t self = ::getpid();
  for (;;) {
    bool left = false;
    for (pid_t child : children_of(self)) {
      if (!chosen(child)) continue;
      left = true;
      kill_descendant(child, self);  // first the parent: what it has not forked yet it never will
      for (pid_t below : descendants_of(child)) kill_descendant(below, self);
      ::waitpid(child, nullptr, WNOHANG);
    }
    if (!left) return true;
    if (Clock::now() >= deadline) return false;
    ::poll(nullptr, 0, 1);  // the dead need a moment to die
  }
}

TreeUsage usage_below(pid_t pid) {
  static const auto ticks_per_second = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  static const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const auto field = [](const std::string& stat, int number) {
    return static_cast<std::uint64_t>(std::max(stat_field(stat, number), 0LL));
  };
  TreeUsage usage;
  const std::string own = read_proc(pid, "stat");
  std::uint64_t ticks = field(own, 16) + field(own, 17);  // children that were waited for
  for (pid_t process : descendants_of(pid)) {
    const std::string stat = read_proc(process, "stat");
    for (int number : {14, 15, 16, 17}) ticks += field(stat, number);
    usage.resident_bytes += field(stat, 24) * page_bytes;
    ++usage.processes;
  }
  usage.cpu_ms = ticks * 1000 / ticks_per_second;
  return usage;
}

std::uint64_t proportional_bytes_below(pid_t pid) {
  std::uint64_t kib = 0;
  for (pid_t process : descendants_of(pid)) {
    const std::string rollup = read_proc(process, "smaps_rollup");
    const auto at = rollup.find("\nPss:");
    if (at != std::string::npos) kib += std::strtoull(rollup.c_str() + at + 5, nullptr, 10);
  }
  return kib * 1024;
}

}  // namespace p2plab::launch
