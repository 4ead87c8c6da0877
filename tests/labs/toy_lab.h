// A small lab on disk, and programs that are handed in for it.
#pragma once
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/check/lab_check.h"

namespace toy {

namespace fs = std::filesystem;
using namespace p2plab;

inline launch::Installation installation() {
  setenv("P2PLAB_PREFIX", P2PLAB_BUILD_DIR, 1);
  return launch::Installation::find();
}

/// One exchange between two ranks, with small limits; removed at the end.
class Lab {
 public:
  explicit Lab(const std::string& limits = "wall_s = 20") : root_(fs::temp_directory_path() / ("p2plab toy 实验 " + std::to_string(getpid()) + "-" + std::to_string(count_++))) {
    fs::create_directories(folder());
    for (const char* name : {"starter.cpp", "solution.cpp", "task.en.md", "task.zh.md"}) std::ofstream(folder() / name) << "\n";
    std::ofstream(folder() / "given.h") << "#pragma once\n#include <mpi.h>\n";
    std::ofstream(folder() / "lab.toml") << R"(version = 1
id = "01-toy"
world = "mpi"
file = "toy.cpp"
given = ["given.h"]
title = { en = "Toy", zh = "玩具" }
summary = { en = "Toy", zh = "玩具" }
why = { en = "Why?", zh = "为什么？" }
[limits]
)" + limits + R"(
[[run]]
id = "a"
ranks = [2]
strict = false
delays = 0
[[check]]
id = "exchange"
title = { en = "two messages", zh = "两条消息" }
rule = "messages"
with = { exactly = "2" }
[starter]
verdict = "fail"
fails = "exchange"
[[point]]
en = "So."
zh = "如此。"
)";
    std::ofstream more(folder() / "lab.toml", std::ios::app);
    for (int i = 0; i < 4; ++i) more << "[[hint]]\nen = \"e\"\nzh = \"z\"\n";
  }
  ~Lab() { fs::remove_all(root_); }
  fs::path folder() const { return root_ / "01-toy"; }
  check::LabManifest manifest() const { return check::load_lab(folder()); }
  /// Writes a file to hand in.
  fs::path hand_in(const std::string& text, const std::string& name = "交来的 work.cpp") const {
    std::ofstream(root_ / name, std::ios::binary) << text;
    return root_ / name;
  }
  const fs::path& root() const { return root_; }

 private:
  static inline int count_ = 0;
  fs::path root_;
};

/// A program whose ranks exchange one message each; `first` stands before that, in both ranks.
inline std::string program(const std::string& first = "", const std::string& includes = "") {
  return "#include \"given.h\"\n" + includes + R"(
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, out = 1, in = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
)" + first + R"(
  MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, 0, &in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
}
)";
}

inline check::LabResult check_work(const Lab& lab, const fs::path& work) {
  check::LabRequest request;
  request.work = work;
  return check::check_lab(installation(), lab.manifest(), request);
}

inline check::LabResult check_text(const Lab& lab, const std::string& text) { return check_work(lab, lab.hand_in(text)); }

/// Processes whose program lies in the folder of a check; none may outlive it.
inline int left_processes() {
  int count = 0;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::error_code failure;
    const fs::path program = fs::read_symlink(entry.path() / "exe", failure);
    if (!failure && program.string().find("/p2plab-check-") != std::string::npos) {
      std::ifstream environment(entry.path() / "environ");
      const std::string text{std::istreambuf_iterator<char>(environment), std::istreambuf_iterator<char>()};
      if (text.find("P2PLAB_TEST_MARK=" + std::to_string(getpid())) != std::string::npos) ++count;
    }
  }
  return count;
}

}  // namespace toy
