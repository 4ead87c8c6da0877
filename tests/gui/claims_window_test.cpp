// The place of claims in the window: the list, a claim, and its experiment run in place.
#include "tests/gui/window_fixture.h"

#include <set>

#include "app/content/claim.h"
#include "tests/gui/temporary.h"

using namespace p2plab;
using namespace p2plab::window_test;

namespace {

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const content::Claims& claims() {
  static const content::Claims all(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/claims");
  return all;
}

/// The first claim whose experiment is one schedule on the virtual clock, or one run of the deadlock demo: what shows a timeline.
std::string claim_on(const std::string& program) {
  for (const auto& claim : claims().all())
    if (claim.experiment && claim.experiment->runs.size() == 1 && claim.experiment->runs[0][0] == program && (program == "sim" || claim.experiment->runs[0][1] == "deadlock"))
      return claim.id;
  return {};
}

}  // namespace

TEST_CASE("the list of claims and a claim are drawn in both languages, both themes and small windows") {
  if (skipped()) return;
  Temporary folder;
  std::set<std::string> pictures;
  int count = 0;
  for (const auto& page : {std::vector<std::string>{"--place", "claims"}, {"--claim", claim_on("sim")}})
    for (const auto& window : {std::vector<std::string>{"--lang", "en"}, {"--lang", "zh", "--theme", "light"}, {"--lang", "zh", "--size", "640x480"}, {"--lang", "en", "--scale", "2"}}) {
      auto arguments = page;
      arguments.insert(arguments.end(), window.begin(), window.end());
      const auto png = folder.path / (std::to_string(++count) + ".png");
      arguments.insert(arguments.end(), {"--screenshot", png.string(), "--exit"});
      const auto outcome = gui(arguments, folder.path / "errors", display());
      INFO(page.back() << " " << window.back() << " " << outcome.errors);
      CHECK(outcome.status == 0);
      CHECK(look(png).colours > 60);
      pictures.insert(bytes_of(png));
    }
  CHECK(static_cast<int>(pictures.size()) == count);
}

TEST_CASE("an experiment runs in place: its outcome and its picture stand on the claim's page") {
  if (skipped()) return;
  Temporary folder;
  for (const char* program : {"sim", "run"}) {
    const std::string id = claim_on(program);
    INFO(id);
    const auto shot = [&](bool run) {
      const auto png = folder.path / (id + (run ? "-run.png" : ".png"));
      std::vector<std::string> arguments{"--claim", id, "--lang", "en", "--size", "1280x1000", "--screenshot", png.string(), "--when-done", "--exit"};
      if (run) arguments.push_back("--autorun");
      const auto outcome = gui(arguments, folder.path / "errors", display());
      INFO(outcome.errors);
      CHECK(outcome.status == 0);
      return look(png);
    };
    const Look before = shot(false), after = shot(true);
    CHECK(after.colours > before.colours);
    const auto drawn = [](const Look& seen) { return pixels(seen, report::Ink::forward) + pixels(seen, report::Ink::send) + pixels(seen, report::Ink::receive) + pixels(seen, report::Ink::collective); };
    CHECK(drawn(before) == 0);
    CHECK(drawn(after) > 300);
  }
}

TEST_CASE("a claim that is not there is refused in one sentence") {
  if (skipped()) return;
  Temporary folder;
  const auto outcome = gui({"--claim", "nonsense-claim", "--lang", "en"}, folder.path / "errors", display());
  CHECK(outcome.status == 2);
  CHECK(outcome.errors.find("There is no claim") != std::string::npos);
}
