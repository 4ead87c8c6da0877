// What was read and predicted of the lessons.
#include "app/content/reading_log.h"

#include <stdlib.h>

#include <fstream>

#include "tests/support/catch.h"

using namespace p2plab;
using content::Foreseen;
namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "p2plab-test-reading-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  fs::path file() const { return path / "progress.jsonl"; }
};

}  // namespace

TEST_CASE("what was read and predicted is known again to whoever reads the same file") {
  const Folder folder;
  content::ReadingLog log(folder.file());
  CHECK(log.states().empty());
  log.read("deadlock", content::Language::zh);
  log.predicted("deadlock", 3, Foreseen::right);
  log.predicted("deadlock", 5, Foreseen::close);
  log.predicted("buffers", 2, Foreseen::off);
  REQUIRE_FALSE(log.not_saved());
  content::ReadingLog again(folder.file());
  CHECK(again.state("deadlock").read == content::today());
  CHECK(again.state("deadlock").predicted == 2);
  CHECK(again.state("deadlock").right == 1);
  CHECK_FALSE(again.state("buffers").read);
  CHECK(again.state("buffers").predicted == 1);
  CHECK(again.state("moe").predicted == 0);
}

TEST_CASE("only the first prediction of a block counts: afterwards the answer was known") {
  const Folder folder;
  content::ReadingLog log(folder.file());
  log.predicted("deadlock", 3, Foreseen::off);
  log.predicted("deadlock", 3, Foreseen::right);
  CHECK(log.state("deadlock").predicted == 1);
  CHECK(log.state("deadlock").right == 0);
}

TEST_CASE("a lesson that is read twice on a day is noted once") {
  const Folder folder;
  content::ReadingLog log(folder.file());
  log.read("deadlock", content::Language::en);
  log.read("deadlock", content::Language::en);
  CHECK(content::Progress(folder.file()).records("lesson").size() == 1);
}

TEST_CASE("what cannot be kept is said, and a field of another kind does no harm") {
  const Folder folder;
  std::ofstream(folder.path / "file") << "no folder";
  content::ReadingLog log(folder.path / "file" / "progress.jsonl");
  log.read("deadlock", content::Language::en);
  REQUIRE(log.not_saved());
  CHECK(log.not_saved()->id == "progress.unwritable");
  std::ofstream(folder.file()) << R"({"kind":"lesson","lesson":"moe","event":"read","day":"2026-11-30"})" << "\n" << R"({"kind":"lesson","lesson":7,"event":true})" << "\n";
  content::ReadingLog strange(folder.file());
  CHECK(strange.state("moe").read == content::parse_day("2026-11-30"));
}
