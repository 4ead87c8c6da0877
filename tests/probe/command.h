// Compilers and the programs they make, run to their end in a folder of the test's own.
#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>

namespace probe_test {

namespace fs = std::filesystem;

/// Removed at the end.
class Scratch {
 public:
  Scratch()
      : dir_(fs::temp_directory_path() /
             ("p2plab-probe-" + std::to_string(::getpid()) + "-" + std::to_string(count_++))) {
    fs::create_directories(dir_);
  }
  ~Scratch() { fs::remove_all(dir_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  fs::path operator/(const std::string& name) const { return dir_ / name; }

 private:
  static inline int count_ = 0;
  fs::path dir_;
};

struct Ended {
  int status = -1;  ///< 124: it did not end
  std::string out, err;
};

inline std::string quoted(const std::string& word) { return "'" + word + "'"; }  // no path of ours has a quote

inline std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// A command of the shell.
inline Ended run(const std::string& command) {
  const Scratch scratch;
  const std::string line =
      "{ " + command + "; } </dev/null >" + quoted(scratch / "out") + " 2>" + quoted(scratch / "err");
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(scratch / "out"), read_file(scratch / "err")};
}

inline bool is_installed(const std::string& program) { return run("command -v " + program).status == 0; }

/// How the access run compiles (demos/probe/access/watch.h).
inline std::string access_flags(const std::string& compiler) {
  std::string flags = "-O0 -g -fno-builtin -fno-omit-frame-pointer -fsanitize=thread";
  if (compiler.starts_with("clang"))
    return flags + " -fsanitize-coverage=func,trace-loads,trace-stores -mllvm -tsan-instrument-memory-accesses=0";
  return flags + " -Wno-tsan";
}

}  // namespace probe_test
