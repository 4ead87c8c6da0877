// Head and tail of a stream.
#include "app/launch/output_keeper.h"

#include <random>

#include "tests/support/catch.h"

using namespace p2plab::launch;

namespace {

std::string digits(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += static_cast<char>('a' + i % 26);
  return text;
}

RankOutput kept(const std::string& text, std::size_t capacity, std::size_t chunk) {
  OutputKeeper keeper(capacity);
  for (std::size_t at = 0; at < text.size(); at += chunk) keeper.append(std::string_view(text).substr(at, chunk));
  return keeper.snapshot();
}

}  // namespace

TEST_CASE("output up to the cap is kept whole") {
  for (std::size_t size : {0u, 1u, 49u, 50u, 51u, 99u, 100u}) {
    const RankOutput output = kept(digits(size), 100, 7);
    CHECK(output.head + output.tail == digits(size));
    CHECK(output.cut_bytes == 0);
    CHECK(output.text() == digits(size));
    if (size <= 50) CHECK(output.tail.empty());
  }
}

TEST_CASE("beyond the cap exactly the first and the last bytes are kept, whatever the chunks") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::size_t capacity = 1 + random() % 64;
    const std::string text = digits(capacity + 1 + random() % 300);
    const RankOutput output = kept(text, capacity, 1 + random() % 90);
    const std::size_t head = capacity / 2, tail = capacity - head;
    REQUIRE(output.head == text.substr(0, head));
    REQUIRE(output.tail == text.substr(text.size() - tail));
    REQUIRE(output.cut_bytes == text.size() - capacity);
  }
}

TEST_CASE("the cut never shows half a character") {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "点";  // three bytes each
  const RankOutput output = kept(text, 20, 120);
  CHECK(output.head.size() == 10);
  CHECK(output.tail.size() == 10);
  CHECK(output.text() == "点点点\n[… 102 B …]\n点点点");
}
