// The place of labs in the window: the list, a lab, and what its check has found; both languages, both themes, small windows.
#include <set>

#include "tests/gui/temporary.h"
#include "tests/gui/window_fixture.h"
#include "tests/labs/toy_lab.h"

using namespace p2plab;
using namespace p2plab::window_test;

namespace {

Outcome shot(const Temporary& folder, std::vector<std::string> arguments, const std::filesystem::path& png) {
  arguments.insert(arguments.end(), {"--screenshot", png.string(), "--exit"});
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path);  // where the window looks for what the learner has begun
  const auto outcome = gui(arguments, folder.path / "errors", display(), {{"XDG_DATA_HOME", (folder.path / "data").string()}});
  std::filesystem::current_path(before);
  return outcome;
}

}  // namespace

TEST_CASE("The list of labs and a lab are drawn in both languages and themes, and in small windows") {
  if (skipped()) return;
  const Temporary folder;
  std::set<std::size_t> colours;
  for (const auto& place : {std::vector<std::string>{"--place", "labs"}, std::vector<std::string>{"--lab", "3"}})
    for (const auto& [language, theme, size] : {std::tuple{"en", "dark", "1280x800"}, std::tuple{"zh", "light", "1280x800"}, std::tuple{"zh", "dark", "640x480"}}) {
      auto arguments = place;
      arguments.insert(arguments.end(), {"--lang", language, "--theme", theme, "--size", size});
      const auto png = folder.path / "shot.png";
      const auto outcome = shot(folder, arguments, png);
      INFO(place.back() << " " << language << " " << size << "\n" << outcome.errors);
      CHECK(outcome.status == 0);
      CHECK(look(png).colours > 60);
    }
}

TEST_CASE("A check run from the window shows its failure, and the run that it was seen in") {
  if (skipped()) return;
  const Temporary folder;
  const toy::Lab lab;
  std::filesystem::create_directory(folder.path / "01-toy");
  folder.write("01-toy/toy.cpp", toy::program("MPI_Recv(&in, 1, MPI_INT, 1 - rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"));
  const auto before = folder.path / "before.png", after = folder.path / "after.png";
  const std::vector<std::string> arguments{"--labs", lab.root().string(), "--lab", "1", "--lang", "en", "--size", "1280x800"};
  REQUIRE(shot(folder, arguments, before).status == 0);
  auto checked = arguments;
  checked.insert(checked.end(), {"--autorun", "--when-done"});
  const auto outcome = shot(folder, checked, after);
  INFO(outcome.errors);
  REQUIRE(outcome.status == 0);
  // The failure in the colour of what is bad, and below it spans of waiting.
  const Part result{800, 100, 480, 300}, run{800, 450, 480, 340};
  CHECK(pixels(look(before, result), report::Ink::bad) == 0);
  CHECK(pixels(look(after, result), report::Ink::bad) > 5);
  CHECK(look(after, run).colours > look(before, run).colours + 10);
}

TEST_CASE("A lab that is not there is refused in one sentence") {
  if (skipped()) return;
  const Temporary folder;
  const auto outcome = shot(folder, {"--lab", "deadlock-clinik", "--lang", "en"}, folder.path / "none.png");
  CHECK(outcome.status == 2);
  CHECK(outcome.errors.find("03-deadlock-clinic") != std::string::npos);
}
