// The page on scale: every figure in it is printed by the command that stands above it, in the page's language.
#include <sstream>

#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace cli_test;

namespace {

struct Command {
  std::vector<std::string> words;
  std::vector<std::string> lines;  ///< that its output has to contain
};

/// The `$ p2plab …` lines of all console blocks, each with the lines that follow it.
std::vector<Command> commands(const std::string& page) {
  std::vector<Command> out;
  std::istringstream in(page);
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      inside = line == "```console";
    } else if (inside && line.starts_with("$ p2plab ")) {
      std::istringstream words(line.substr(9));
      Command& command = out.emplace_back();
      for (std::string word; words >> word;) command.words.push_back(word);
    } else if (inside) {
      out.at(out.size() - 1).lines.push_back(line);
    }
  }
  return out;
}

/// With one space wherever there are some: how wide columns are is a matter of their headings.
std::string squeezed(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

}  // namespace

TEST_CASE("every figure on the page about scale is what its command prints") {
  for (const std::string language : {"en", "zh"}) {
    const auto all = commands(read_file(fs::path(P2PLAB_SOURCE_DIR) / ("assets/lessons/scale-on-paper." + language + ".md")));
    REQUIRE(all.size() >= 10);
    for (Command command : all) {
      command.words.insert(command.words.end(), {"--lang", language});
      const Ended ended = p2plab(command.words);
      CHECK(ended.status == 0);
      CHECK_FALSE(command.lines.empty());
      for (const std::string& line : command.lines) {
        INFO(line << "\n" << ended.out << ended.err);
        CHECK(squeezed(ended.out).find(squeezed(line)) != std::string::npos);
      }
    }
  }
}
