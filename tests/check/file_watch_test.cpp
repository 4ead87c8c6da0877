// A save is told once, by the kernel and by looking; nothing is told while nothing changes.
#include "app/check/file_watch.h"

#include <unistd.h>

#include <fstream>
#include <thread>

#include "tests/support/catch.h"

using namespace p2plab::check;
namespace fs = std::filesystem;

namespace {

/// True once the watch has told of a save; false after half a minute.
bool told(FileWatch& watch) {
  for (int i = 0; i < 3000; ++i) {
    if (watch.saved()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace

TEST_CASE("A save is told once, whether the kernel tells or the file is looked at") {
  const fs::path folder = fs::temp_directory_path() / ("p2plab 监视 " + std::to_string(getpid()));
  fs::create_directories(folder);
  const fs::path file = folder / "作业 a.cpp";
  for (const bool poll : {false, true}) {
    std::ofstream(file) << "one\n";
    FileWatch watch({file}, poll);
    if (poll) CHECK(watch.polls());
    CHECK_FALSE(watch.saved());
    std::ofstream(file) << "two and more\n";
    CHECK(told(watch));
    CHECK_FALSE(watch.saved());
    std::ofstream(folder / "new.cpp") << "three, under another name first\n";  // as editors do
    fs::rename(folder / "new.cpp", file);
    CHECK(told(watch));
    std::ofstream(folder / "other.txt") << "not this one\n";
    CHECK_FALSE(watch.saved());
  }
  fs::remove_all(folder);
}
