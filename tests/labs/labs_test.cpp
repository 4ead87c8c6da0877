// The labs themselves: two in every run, all of them where P2PLAB_TEST_ALL is set.
#include "app/check/lab_folder.h"
#include "app/check/lab_lint.h"
#include "tests/labs/toy_lab.h"
#include "tests/support/catch.h"

using namespace toy;

namespace {

std::string complaints(const check::LintResult& result) {
  std::string out;
  for (const check::LintLine& line : result.lines)
    if (!line.good) out += line.file + ": " + line.verdict + " (" + line.fails + ") " + line.what.id + "\n";
  return out;
}

bool in_short_run(const std::string& lab) { return lab == "01-hello-ping-pong" || lab == "09-gpipe"; }

}  // namespace

TEST_CASE("Every starter fails as declared, every solution passes, every mutant fails by its one check") {
  const bool all = std::getenv("P2PLAB_TEST_ALL") != nullptr;
  int linted = 0;
  for (const check::LabManifest& lab : check::load_labs(fs::path(P2PLAB_SOURCE_DIR) / "labs")) {
    if (!all && !in_short_run(lab.id)) continue;
    INFO(lab.id);
    const check::LintResult result = check::lint_lab(installation(), lab, 2, 1);
    CHECK(complaints(result) == "");
    CHECK(result.good());
    ++linted;
  }
  CHECK(linted >= 2);
}

TEST_CASE("Labs that are required are labs, and come before") {
  const auto labs = check::load_labs(fs::path(P2PLAB_SOURCE_DIR) / "labs");
  for (const check::LabManifest& lab : labs)
    for (const std::string& other : lab.requires_labs) {
      INFO(lab.id << " requires " << other);
      CHECK(check::find_lab(labs, other).id < lab.id);
    }
}

TEST_CASE("Starting a lab never overwrites work, and putting it back keeps it") {
  const Lab lab;
  const check::LabManifest manifest = lab.manifest();
  const fs::path mine = lab.root() / "mine";
  CHECK(check::start_lab(manifest, mine, "zh"));
  CHECK(fs::exists(mine / "TASK.md"));
  CHECK_FALSE(check::start_lab(manifest, mine, "zh"));
  std::ofstream(mine / "toy.cpp") << "my work\n";
  CHECK_THROWS_AS(check::start_lab(manifest, mine, "zh"), Error);
  const fs::path kept = check::reset_lab(manifest, mine, "en");
  std::ifstream in(kept);
  std::string line;
  std::getline(in, line);
  CHECK(line == "my work");
  CHECK(check::reset_lab(manifest, mine, "en").empty());
}

TEST_CASE("A lab that cannot be started whole leaves nothing, and one that cannot be put back leaves the work in its place") {
  const Lab lab;
  const check::LabManifest manifest = lab.manifest();
  const fs::path mine = lab.root() / "a/b/mine";
  fs::create_directories(lab.root() / "blocked");
  fs::create_symlink("/no/such/folder/TASK.md", lab.root() / "blocked/TASK.md");
  CHECK_THROWS_AS(check::start_lab(manifest, lab.root() / "blocked", "en"), Error);
  CHECK(fs::is_symlink(lab.root() / "blocked/TASK.md"));
  CHECK_FALSE(fs::exists(lab.root() / "blocked/toy.cpp"));
  CHECK_FALSE(fs::exists(lab.root() / "blocked/given.h"));
  std::ofstream(lab.root() / "file") << "in the way";
  CHECK_THROWS_AS(check::start_lab(manifest, lab.root() / "file/mine", "en"), Error);
  CHECK(check::start_lab(manifest, mine, "en"));
  std::ofstream(mine / "toy.cpp") << "my work\n";
  fs::remove(mine / "TASK.md");
  fs::create_symlink("/no/such/folder/TASK.md", mine / "TASK.md");
  CHECK_THROWS_AS(check::reset_lab(manifest, mine, "en"), Error);
  std::ifstream in(mine / "toy.cpp");
  std::string line;
  std::getline(in, line);
  CHECK(line == "my work");
}
