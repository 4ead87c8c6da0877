// The drill's pages in the window: the first page and a card of every kind, both languages, both themes, small sizes.
#include "tests/gui/window_fixture.h"

#include <set>

#include "app/content/card.h"
#include "tests/gui/temporary.h"

using namespace p2plab;
using namespace p2plab::window_test;

namespace {

Outcome shot(const Temporary& folder, std::vector<std::string> arguments, const std::filesystem::path& png) {
  arguments.insert(arguments.end(), {"--screenshot", png.string(), "--exit"});
  return gui(arguments, folder.path / "errors", display(), {{"XDG_DATA_HOME", (folder.path / "data").string()}});
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("the drill's first page and a card of every kind are drawn in both languages") {
  if (skipped()) return;
  Temporary folder;
  const content::Cards cards(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/drill");
  std::map<content::CardKind, std::string> kinds;
  for (const auto& card : cards.all()) kinds.emplace(card.kind, card.id);
  std::vector<std::vector<std::string>> pages{{"--place", "drill"}};
  for (const auto& [kind, id] : kinds) pages.push_back({"--card", id});
  std::set<std::string> pictures;
  for (const auto& page : pages)
    for (const char* language : {"en", "zh"}) {
      INFO(page.back() << " " << language);
      auto arguments = page;
      arguments.insert(arguments.end(), {"--lang", language});
      const auto png = folder.path / (page.back() + language + ".png");
      const auto outcome = shot(folder, arguments, png);
      INFO(outcome.errors);
      CHECK(outcome.status == 0);
      CHECK(look(png).colours > 60);
      pictures.insert(bytes_of(png));
    }
  CHECK(pictures.size() == pages.size() * 2);
}

TEST_CASE("a card is drawn in small windows, at a large scale and in the light theme") {
  if (skipped()) return;
  Temporary folder;
  for (const auto& [size, scale, theme] : {std::tuple{"800x600", "1.0", "light"}, std::tuple{"640x480", "1.0", "dark"}, std::tuple{"1600x1000", "2.0", "light"}}) {
    const auto png = folder.path / "shot.png";
    const auto outcome = shot(folder, {"--card", "fu-why-p2p", "--size", size, "--scale", scale, "--theme", theme, "--lang", "zh"}, png);
    INFO(size << outcome.errors);
    CHECK(outcome.status == 0);
    CHECK(look(png).colours > 60);
  }
}

TEST_CASE("a card and a place that are not there are refused in one sentence") {
  if (skipped()) return;
  Temporary folder;
  for (const auto& [option, reason] : {std::pair{"--card", "There is no drill card"}, std::pair{"--place", "There is no place"}}) {
    const auto outcome = shot(folder, {option, "nonsense", "--lang", "en"}, folder.path / "none.png");
    CHECK(outcome.status == 2);
    CHECK(outcome.errors.find(reason) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(folder.path / "none.png"));
  }
}
