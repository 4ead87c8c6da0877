// What the build says of packages that are missing: all required ones at once, and one line for each part that is left out.
#include <algorithm>

#include "tests/probe/command.h"
#include "tests/support/catch.h"

using namespace probe_test;

namespace {

/// A folder of pkg-config files that has all of this machine's but those of one package.
void hide(const std::string& package, const fs::path& folder) {
  fs::create_directories(folder);
  std::istringstream paths(run("pkg-config --variable pc_path pkg-config").out);
  for (std::string path; std::getline(paths, path, ':');) {
    if (path.ends_with('\n')) path.pop_back();
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(path, missing)) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with(package)) fs::create_symlink(entry.path(), folder / name, missing);
    }
  }
}

Ended configure(const Scratch& scratch, const std::string& more, const fs::path& packages = {}) {
  const std::string environment = packages.empty() ? "" : "PKG_CONFIG_PATH= PKG_CONFIG_LIBDIR=" + quoted(packages) + " ";
  return run(environment + "cmake -S " + quoted(P2PLAB_SOURCE_DIR) + " -B " + quoted(scratch / "build") + " -DP2PLAB_TESTS=OFF " + more);
}

int lines_with(const std::string& text, const std::string& word) {
  std::istringstream in(text);
  int count = 0;
  for (std::string line; std::getline(in, line);) count += line.find(word) != std::string::npos;
  return count;
}

}  // namespace

TEST_CASE("all required packages that are missing are named in one sentence, with the command that brings them") {
  const Scratch scratch;
  fs::create_directories(scratch / "none");
  const Ended ended = configure(scratch, "-DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON", scratch / "none");
  CHECK(ended.status != 0);
  INFO(ended.err);
  const std::size_t at = ended.err.find("sudo apt-get install");
  REQUIRE(at != std::string::npos);
  for (const char* package : {"libfmt-dev", "libcli11-dev", "libtomlplusplus-dev", "libmd4c-dev", "libpango1.0-dev", "libxxhash-dev", "libdw-dev"})
    CHECK(ended.err.find(package, at) != std::string::npos);
}

TEST_CASE("without MPICH, the window or CUDA the rest is configured, and one line says what is left out and why") {
  const Scratch scratch;
  hide("mpich", scratch / "packages");
  const Ended ended = configure(scratch, "-DCMAKE_DISABLE_FIND_PACKAGE_glfw3=ON", scratch / "packages");
  INFO(ended.out << ended.err);
  CHECK(ended.status == 0);
  CHECK(lines_with(ended.out, "P2P Lab: skipped") == 3);
  CHECK(lines_with(ended.out, "skipped the host backend: MPICH is missing (apt install mpich libmpich-dev)") == 1);
  CHECK(lines_with(ended.out, "skipped the window: ") == 1);
  CHECK(lines_with(ended.out, "skipped the backends cuda and nccl: they need MPICH") == 1);
}

TEST_CASE("P2PLAB_CUDA is AUTO, ON or OFF: OFF is said, ON without the toolkit ends, another word is refused") {
  {
    const Scratch scratch;
    const Ended off = configure(scratch, "-DP2PLAB_CUDA=OFF");
    CHECK(off.status == 0);
    CHECK(lines_with(off.out, "skipped the backends cuda and nccl: P2PLAB_CUDA is OFF") == 1);
  }
  {
    const Scratch scratch;
    const Ended on = configure(scratch, "-DP2PLAB_CUDA=ON -DP2PLAB_NVCC=P2PLAB_NVCC-NOTFOUND -DCMAKE_FIND_USE_PACKAGE_ROOT_PATH=OFF -DP2PLAB_CUDART= ");
    CHECK(on.status != 0);
    CHECK(on.err.find("P2PLAB_CUDA is ON, but the backends cuda and nccl cannot be built") != std::string::npos);
  }
  {
    const Scratch scratch;
    const Ended other = configure(scratch, "-DP2PLAB_CUDA=MAYBE");
    CHECK(other.status != 0);
    CHECK(other.err.find("P2PLAB_CUDA is 'MAYBE', but it can only be AUTO, ON or OFF.") != std::string::npos);
  }
}
