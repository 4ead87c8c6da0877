// One word for one thing in the Chinese texts: all-reduce and 集合通信, other spellings only where the answer card is quoted.
#include <fstream>
#include <regex>
#include <sstream>
#include <vector>

#include "tests/support/catch.h"

namespace fs = std::filesystem;

namespace {

const fs::path kTree = P2PLAB_SOURCE_DIR;

std::string file_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// All that a reader sees: assets, what the demos' and labs' files say, the README.
std::vector<fs::path> texts() {
  std::vector<fs::path> out{kTree / "README.zh-CN.md"};
  for (const char* folder : {"assets", "demos", "labs"})
    for (const auto& entry : fs::recursive_directory_iterator(kTree / folder)) {
      const auto ending = entry.path().extension();
      if (entry.is_regular_file() && (ending == ".toml" || ending == ".md")) out.push_back(entry.path());
    }
  return out;
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\r'; });
  return text;
}

/// The parts between punctuation marks, of Chinese and of the files' own syntax.
std::vector<std::string> clauses(const std::string& text) {
  static const std::vector<std::string> marks{"，", "。", "；", "：", "、", "“", "”", "（", "）", "？", "！", "\"", "[", "]", "\n"};
  std::vector<std::string> out(1);
  for (std::size_t at = 0; at < text.size();) {
    std::size_t mark = 0;
    for (const auto& each : marks)
      if (text.compare(at, each.size(), each) == 0) mark = each.size();
    if (mark > 0) out.emplace_back();
    else out.back() += text[at];
    at += mark > 0 ? mark : 1;
  }
  return out;
}

}  // namespace

TEST_CASE("Chinese texts say all-reduce and 集合通信; another spelling is a quotation of the answer card, word by word") {
  const fs::path card = kTree / "assets/claims/README.md";  // has every sentence of it
  const std::string said = without_blanks(file_text(card));
  const std::regex other("All-Reduce|All-Gather|AllReduce|AllGather|集体通信|集体操作");
  REQUIRE(texts().size() > 100);
  for (const fs::path& file : texts()) {
    if (file == card) continue;
    const bool quotes = file.string().starts_with((kTree / "assets").string());  // demos and labs speak for themselves
    for (const std::string& clause : clauses(file_text(file))) {
      if (!std::regex_search(clause, other)) continue;
      INFO(file.string() << ": " << clause);
      CHECK(quotes);
      CHECK(said.find(without_blanks(clause)) != std::string::npos);
    }
  }
}

TEST_CASE("Chinese texts call the lab 实验台") {
  for (const fs::path& file : texts()) {
    INFO(file.string());
    CHECK(file_text(file).find("实验室") == std::string::npos);
  }
}

TEST_CASE("Chinese texts have one word for staleness, 陈旧") {
  const std::regex other("过期(的)?(梯度|参数|权重|程度|度)|(梯度|参数|权重)过期");
  for (const fs::path& file : texts()) {
    INFO(file.string());
    CHECK_FALSE(std::regex_search(file_text(file), other));
  }
}

TEST_CASE("an eager limit that was measured is quoted with the MPI it was measured on") {
  const std::regex vague("8 ?KiB[^.。\n]*16 ?KiB");
  bool quoted = false;
  for (const fs::path& file : texts()) {
    std::istringstream in(file_text(file));
    std::string before;
    for (std::string line; std::getline(in, line); before = line) {
      INFO(file.string() << ": " << line);
      CHECK_FALSE(std::regex_search(line, vague));
      if (line.find("8255") == std::string::npos) continue;
      quoted = true;
      CHECK((before + line).find("MPICH 4.0.2") != std::string::npos);
    }
  }
  CHECK(quoted);
}
