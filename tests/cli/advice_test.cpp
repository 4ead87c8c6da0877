// What the commands advise can be done: an option that a text names is one of the command that prints it.
#include <algorithm>
#include <regex>

#include "app/content/text.h"
#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace p2plab;
namespace fs = std::filesystem;

TEST_CASE("an option that a command's words advise is an option of that command") {
  // By the sections whose texts a command prints. What stands in `…` is a whole command of its own.
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> shown{
      {{"run"}, {"run", "edges", "refuse", "why", "warning", "gpu", "summary"}},
      {{"check"}, {"why", "finding-fix", "finding-why", "finding-detail", "lab-detail", "lab-rule"}},
      {{"verify"}, {"verify", "finding-fix", "finding-why", "finding-detail", "verify-detail"}},
      {{"sim"}, {"sim"}},
      {{"drill"}, {"drill"}},
      {{"claim", "run"}, {"claim"}}};
  static const std::regex commands("`[^`]*`"), option("(?:^|[^A-Za-z0-9-])(--[a-z][a-z-]*)");
  const content::Text text(fs::path(P2PLAB_SOURCE_DIR) / "assets/text");
  std::size_t seen = 0;
  for (const auto& [command, sections] : shown) {
    std::vector<std::string> words = command;
    words.push_back("--help");
    const std::string help = cli_test::p2plab(words).out;
    for (const auto& [id, twins] : text.all()) {
      if (id.find('@') != std::string::npos || std::find(sections.begin(), sections.end(), id.substr(0, id.find('.'))) == sections.end()) continue;
      const std::string here = text.has(id + "@" + command.front()) ? id + "@" + command.front() : id;
      for (const auto& [language, said] : text.all().find(here)->second) {
        const std::string bare = std::regex_replace(said, commands, "");
        for (std::sregex_iterator at(bare.begin(), bare.end(), option), end; at != end; ++at) {
          INFO("p2plab " << command.front() << ", " << here << ": " << said);
          CHECK(help.find((*at)[1].str()) != std::string::npos);
          ++seen;
        }
      }
    }
  }
  CHECK(seen > 40);
}
