// Runs the real p2plab and keeps what it said, apart by stream.
#pragma once
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace cli_test {

namespace fs = std::filesystem;

inline std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// A folder of this process, removed at the end; its name has a space and Chinese characters, as a learner's may.
class Scratch {
 public:
  Scratch() : dir_(fs::temp_directory_path() / ("p2plab cli 测试 " + std::to_string(getpid()) + "-" + std::to_string(count_++))) {
    fs::create_directories(dir_);
  }
  ~Scratch() { fs::remove_all(dir_); }
  fs::path operator/(const std::string& name) const { return dir_ / name; }
  bool empty() const { return fs::is_empty(dir_); }

 private:
  static inline int count_ = 0;  ///< several may live at once
  fs::path dir_;
};

struct Ended {
  int status = -1;  ///< exit status; -1 when a signal ended it
  std::string out, err;
};

/// A p2plab that is running.
class Running {
 public:
  Running(const std::vector<std::string>& arguments, std::map<std::string, std::string> environment = {}, const fs::path& out = {})
      : out_(out.empty() ? scratch_ / "stdout" : out), err_(scratch_ / "stderr") {
    std::vector<std::string> command = {P2PLAB_BUILD_DIR "/bin/p2plab"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    environment.emplace("LANG", "C.UTF-8");
    std::vector<std::string> texts;
    for (char** entry = environ; *entry != nullptr; ++entry) {
      const std::string text = *entry;
      if (!environment.contains(text.substr(0, text.find('='))) && !text.starts_with("LC_")) texts.push_back(text);
    }
    for (const auto& [name, value] : environment) texts.push_back(name + "=" + value);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    std::vector<char*> argv = pointers(command), envp = pointers(texts);
    if (posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), envp.data()) != 0) pid_ = -1;
    posix_spawn_file_actions_destroy(&actions);
  }
  pid_t pid() const { return pid_; }
  std::string err() const { return read_file(err_); }  ///< so far
  Ended wait() {
    Ended ended;
    int status = 0;
    if (pid_ > 0 && waitpid(pid_, &status, 0) == pid_ && WIFEXITED(status)) ended.status = WEXITSTATUS(status);
    if (fs::is_regular_file(out_)) ended.out = read_file(out_);
    ended.err = read_file(err_);
    return ended;
  }

 private:
  static std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (std::string& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
  }
  Scratch scratch_;
  fs::path out_, err_;
  pid_t pid_ = -1;
};

inline Ended p2plab(std::vector<std::string> arguments, std::map<std::string, std::string> environment = {}) {
  return Running(std::move(arguments), std::move(environment)).wait();
}

/// Processes whose command line holds `mark`.
inline std::vector<pid_t> processes_with(const std::string& mark) {
  std::vector<pid_t> out;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (read_file(entry.path() / "cmdline").find(mark) != std::string::npos) out.push_back(static_cast<pid_t>(std::stol(name)));
  }
  return out;
}

inline int lines(const std::string& text) {
  int count = 0;
  for (const char c : text) count += c == '\n' ? 1 : 0;
  return count;
}

}  // namespace cli_test
