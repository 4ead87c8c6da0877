// The few lines of torch.distributed beside the lessons: those that need no GPU are run where PyTorch is installed.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "app/content/lesson.h"
#include "tests/support/catch.h"

using namespace p2plab;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> python_files() {
  std::vector<fs::path> out;
  for (const auto& lesson : content::load_lessons(fs::path(P2PLAB_SOURCE_DIR) / "assets/lessons"))
    for (const auto& file : content::torch_files(lesson)) out.push_back(file);
  return out;
}

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

int run(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The first interpreter that has PyTorch: the one on PATH, or Debian's; empty when none has.
std::string python_with_torch() {
  for (const std::string python : {"python3", "/usr/bin/python3"})
    if (run(python + " -c 'import torch.distributed' >/dev/null 2>&1") == 0) return python;
  return {};
}

}  // namespace

TEST_CASE("most lessons have their lines in PyTorch beside them, each saying what it shows and what it needs") {
  const auto files = python_files();
  CHECK(files.size() >= 10);
  for (const fs::path& file : files) {
    INFO(file);
    CHECK(first_line(file).starts_with("# "));
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    const bool cuda = first_line(file).starts_with("# needs: cuda");
    CHECK(cuda == (text.str().find("\"nccl\"") != std::string::npos));
    CHECK(cuda == (text.str().find("Runs on CPU") == std::string::npos));
    CHECK(text.str().find("destroy_process_group") != std::string::npos);
  }
}

TEST_CASE("the PyTorch files that need no GPU run") {
  const std::string python = python_with_torch();
  if (python.empty()) {
    WARN("skipped: python3 has no torch (apt install python3-torch)");
    return;
  }
  int port = 30000 + static_cast<int>(getpid() % 20000);
  for (const fs::path& file : python_files()) {
    if (first_line(file).starts_with("# needs:")) continue;
    INFO(file);
    const std::string command = "OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1 MASTER_ADDR=127.0.0.1 MASTER_PORT=" + std::to_string(port++) + " timeout 120 " + python + " '" + file.string() + "' >/dev/null 2>&1";
    CHECK(run(command) == 0);
  }
}
