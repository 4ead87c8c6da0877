#include "app/report/wrap.h"
#include "tests/support/catch.h"

using namespace p2plab::report;

namespace {

/// Each Latin character is 1 wide, each Chinese one 2.
float width(std::string_view text) {
  float out = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) out += 1;
    else if (byte >= 0xc0) out += byte >= 0xe0 ? 2.0f : 1.0f;
  }
  return out;
}

}  // namespace

TEST_CASE("English breaks between words") {
  CHECK(wrap("send first then receive", 12, width) == std::vector<std::string>{"send first", "then receive"});
}

TEST_CASE("Chinese breaks between characters, without waiting for a space") {
  CHECK(wrap("两个都先发送", 8, width) == std::vector<std::string>{"两个都先", "发送"});
}

TEST_CASE("no line begins with a closing mark") {
  CHECK(wrap("两个都先，发送", 8, width) == std::vector<std::string>{"两个都", "先，发送"});
}

TEST_CASE("no line ends with an opening mark") {
  CHECK(wrap("两个都（先）", 8, width) == std::vector<std::string>{"两个都", "（先）"});
}

TEST_CASE("English words inside Chinese stay whole") {
  CHECK(wrap("调用 send 之后", 8, width) == std::vector<std::string>{"调用", "send 之", "后"});
}

TEST_CASE("a number keeps its sign") {
  CHECK(wrap("gained 1.49 × here", 12, width) == std::vector<std::string>{"gained", "1.49 × here"});
  CHECK(wrap("字节数是 1.49 ×。", 14, width) == std::vector<std::string>{"字节数是", "1.49 ×。"});
  CHECK(wrap("about 27 % idle", 8, width) == std::vector<std::string>{"about", "27 %", "idle"});
}

TEST_CASE("no line begins with a closing bracket or ends with an opening one, whichever kind") {
  for (const char* text : {"一二三四〉五六", "一二三四』五六", "一二三四】五六", "一二三四］五六", "一二三四～五六"})
    for (const auto& line : wrap(text, 8, width))
      for (const char* mark : {"〉", "』", "】", "］", "～"}) CHECK_FALSE(line.starts_with(mark));
  for (const char* text : {"一二三〈四五六", "一二三『四五六", "一二三【四五六", "一二三［四五六"})
    for (const auto& line : wrap(text, 8, width))
      for (const char* mark : {"〈", "『", "【", "［"}) CHECK_FALSE(line.ends_with(mark));
}

TEST_CASE("what is longer than a line is broken anywhere, and nothing is lost") {
  std::string all;
  for (const auto& line : wrap("/a/very/long/path/without/spaces", 7, width)) {
    CHECK(width(line) <= 7);
    all += line;
  }
  CHECK(all == "/a/very/long/path/without/spaces");
}

TEST_CASE("line feeds are kept") { CHECK(wrap("a\n\nb", 10, width) == std::vector<std::string>{"a", "", "b"}); }

TEST_CASE("a text that fits is not cut, one that does not ends in an ellipsis and fits") {
  CHECK(cut("short", 5, width) == "short");
  CHECK(width(cut("much too long", 6, width)) <= 6);
  CHECK(cut("很长的中文标题", 8, width).ends_with("…"));
}
