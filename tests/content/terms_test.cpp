// One word for one thing in the Chinese texts, other spellings only where the answer card is quoted; spaces and marks as they are written.
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "app/content/spacing.h"
#include "tests/support/catch.h"

namespace fs = std::filesystem;
namespace content = p2plab::content;

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

/// Without what is code, and without the escapes of a file's strings.
std::string prose(const std::string& line) {
  static const std::regex code("`[^`]*`"), escape(R"(\\[nt])"), target(R"(\]\([^)]*\))");
  return std::regex_replace(std::regex_replace(std::regex_replace(line, code, "`"), escape, "\n"), target, "]");
}

struct Term {
  const char* thing;
  const char* word;   ///< what the texts call it
  const char* other;  ///< what they do not call it
};

// 卡死 is a program that hangs; who merely waits for a peer 阻塞 or 等待. An operation is 发起, and 入队 where a stream holds it; only a datatype is 提交.
const Term kTerms[] = {
    {"to post an operation", "发起", "登记|提交"},
    {"communicator", "通信域", "通信子(?!通)"},
    {"to hang", "卡死", "卡住|挂住|挂起|就挂|会挂|真的挂"},
    {"fan-in", "扇入", "汇聚"},
    {"slot of a schedule", "时隙", "[每一]格|[0-9] 格"},
    {"tag of a message", "tag", "标签(?!页)"},
    {"progress thread", "进展线程", "推进线程|进度线程"},
    {"event of a stream", "event", "(记录|CUDA |上的|的)事件|事件(排序|给流)"},
    {"source of a message", "源", "(任意|指明|写明|指定|通配|不限|消息的?|发送)来源|看来源"},
    {"kernel", "kernel", "核函数"},
    {"slow, of weights", "陈旧", "过时(的)?(权重|参数|梯度)"},
};

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

TEST_CASE("Chinese texts have one word for each thing of the trade") {
  const std::set<std::string> other_things{"取标签", "该数据类型没有提交", "请提交文件本身"};  // of samples, MPI_Type_commit, a file handed in
  for (const Term& term : kTerms) {
    const std::regex other(term.other);
    bool said = false;
    for (const fs::path& file : texts())
      for (const std::string& clause : clauses(file_text(file))) {
        said = said || clause.find(term.word) != std::string::npos;
        if (other_things.count(clause) > 0) continue;
        INFO(term.thing << " is " << term.word << "; " << file.string() << ": " << clause);
        CHECK_FALSE(std::regex_search(clause, other));
      }
    INFO(term.thing);
    CHECK(said);
  }
}

TEST_CASE("a stream is 流, with the English word where a lesson or task first speaks of it; API names stay") {
  // Not the flow of pipelines, procedures and data.
  const std::regex stream("(^|[^A-Za-z0-9_.`{-])stream([^A-Za-z0-9_(`.}-]|$)"), han("[\xE4-\xE9][\x80-\xBF][\x80-\xBF]");
  const std::regex one("(CUDA |当前|通信|计算|条|占着|排入|该)流(?!水|程|量|（stream）)");
  int introduced = 0;
  for (const fs::path& file : texts()) {
    const std::string text = file_text(file);
    for (const std::string& clause : clauses(text)) {
      INFO(file.string() << ": " << clause);
      if (std::regex_search(clause, han)) CHECK_FALSE(std::regex_search(prose(clause), stream));
    }
    const bool stands_alone = file.filename() == "zh.md" || file.filename() == "task.zh.md" || file.filename() == "README.zh-CN.md";
    std::smatch first;
    if (!stands_alone || !std::regex_search(text, first, one)) continue;
    INFO(file.string() << " first says " << first.str());
    CHECK(text.find("流（stream）") < static_cast<std::size_t>(first.position()));
    ++introduced;
  }
  CHECK(introduced > 5);
}

TEST_CASE("Chinese texts have a space between Chinese and Latin letters or digits, and none behind a Chinese mark") {
  const std::regex behind("(，|。|；|：|？|！|、) [^ |]");
  for (const fs::path& file : texts()) {
    if (file == kTree / "assets/claims/README.md") continue;  // the answer card, as it is written
    std::istringstream in(file_text(file));
    for (std::string line; std::getline(in, line);) {
      const std::string said = prose(line);
      INFO(file.string() << ": " << line);
      CHECK_FALSE(std::regex_search(said, behind));
      for (std::size_t at = 1; at < said.size(); ++at)
        if (content::wants_space(std::string_view(said).substr(0, at), std::string_view(said).substr(at))) {
          INFO(said.substr(0, at) << " | " << said.substr(at));
          CHECK(false);
        }
    }
  }
}

TEST_CASE("what is filled into a sentence stands apart from its Chinese neighbours, and only from these") {
  using content::set_apart;
  CHECK(set_apart("第二次运行的", "send", "的用时") == " send ");
  CHECK(set_apart("第一次运行的", "128 KiB", "，") == " 128 KiB");
  CHECK(set_apart("结论是", "死锁", "。") == "死锁");
  CHECK(set_apart("用时 ", "3 ms", " 内") == "3 ms");
  CHECK(set_apart("（", "send", "）") == "send");
  CHECK(set_apart("of ", "send", "s") == "send");
  std::string twice = "{a}与{a}";
  content::fill_in(twice, "a", "B");
  CHECK(twice == "B 与 B");
}

TEST_CASE("two sentences are joined by a text, which knows whether its language has a space between them") {
  const std::regex joined(R"(\)\s*\+\s*" "\s*\+\s*(context|text|ui\.text|text_|context_)\()");
  int sources = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kTree / "app")) {
    if (entry.path().extension() != ".cpp") continue;
    ++sources;
    INFO(entry.path().string());
    CHECK_FALSE(std::regex_search(file_text(entry.path()), joined));
  }
  CHECK(sources > 100);
}
