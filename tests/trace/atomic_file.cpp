// Files are there whole or not at all.
#include "app/trace/atomic_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "app/trace/error.h"
#include "tests/support/catch.h"
#include "tests/trace/temporary.h"

using namespace p2plab;
namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t entries(const fs::path& dir) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(dir), fs::directory_iterator()));
}

std::string error_of(const fs::path& path) {
  try {
    trace::write_file(path, "x");
  } catch (const Error& error) {
    CHECK(error.exit_status() == 2);
    return error.text().id;
  }
  return "";
}

}  // namespace

TEST_CASE("a file appears under its name only when it is committed") {
  const TemporaryDir dir;
  const fs::path path = dir / "结果 1.json";
  {
    trace::AtomicFile file(path);
    file.write("half");
    CHECK_FALSE(fs::exists(path));
    file.write(" and half");
    file.commit();
  }
  CHECK(content(path) == "half and half");
  CHECK(entries(dir.path()) == 1);
}

TEST_CASE("a file that is not committed leaves the old one as it was") {
  const TemporaryDir dir;
  trace::write_file(dir / "a", "old");
  {
    trace::AtomicFile file(dir / "a");
    file.write("new");
  }
  CHECK(content(dir / "a") == "old");
  CHECK(entries(dir.path()) == 1);
}

TEST_CASE("a replaced file keeps its mode, and a link to it stays a link") {
  const TemporaryDir dir;
  trace::write_file(dir / "a", "old");
  fs::permissions(dir / "a", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("a", dir / "link");
  trace::write_file(dir / "link", "new");
  CHECK(fs::is_symlink(dir / "link"));
  CHECK(content(dir / "a") == "new");
  CHECK(fs::status(dir / "a").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("a device is written to and not replaced") {
  trace::write_file("/dev/null", "gone");
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("an unwritable path is one clear error") {
  const TemporaryDir dir;
  CHECK(error_of(dir / "no such folder" / "a") == "file.unwritable");
  CHECK(error_of(dir.path()) == "file.unwritable");
  CHECK(error_of("") == "file.unwritable");
}

TEST_CASE("a full disk is an error and leaves nothing behind") {
  trace::AtomicFile full("/dev/full");
  full.write("x");
  CHECK_THROWS_AS(full.commit(), Error);
}
