// What a saved simulated schedule tells of itself, where nothing but its file is at hand.
#include "app/report/conditions.h"
#include "app/trace/perfetto.h"
#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace p2plab;

TEST_CASE("a saved simulated schedule says whatever its numbers rest on, in either language") {
  const cli_test::Scratch scratch;
  const std::string file = (scratch / "t.pftrace").string();
  const auto conditions = [&](std::vector<std::string> words, content::Language language) {
    words.insert(words.begin(), std::string("sim"));
    words.insert(words.end(), {"-p", "4", "-m", "8", "--trace", file});
    REQUIRE(cli_test::p2plab(words).status == 0);
    const content::Text text(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/text", language);
    return report::conditions(trace::open_perfetto(file).run, text);
  };
  using content::Language;
  const std::vector<std::string> all{"interleaved-1f1b", "--chunks", "2", "--activation", "1MiB", "--bandwidth", "10e9", "--iterations", "2", "--optimizer", "3ms"};
  const std::string en = conditions(all, Language::en), zh = conditions(all, Language::zh);
  INFO(en << "\n" << zh);
  for (const char* part : {"4 ranks", "sim", "chunks on each stage 2", "iterations 2", "activation 1 MiB", "optimizer 3.000 ms", "schedule interleaved-1f1b", "microbatches 8", "F 1.000 ms", "B 2.000 ms"})
    CHECK(en.find(part) != std::string::npos);
  for (const char* part : {"4 个 rank", "每个 stage 的 chunk 数 2", "迭代数 2", "激活大小 1 MiB", "优化器 3.000 ms", "调度 interleaved-1f1b"}) CHECK(zh.find(part) != std::string::npos);
  const std::string plain = conditions({"1f1b"}, Language::en);
  for (const char* part : {"chunks", "iterations", "activation", "optimizer", "seed"}) CHECK(plain.find(part) == std::string::npos);
  CHECK(conditions({"zb-auto"}, Language::en).find("share of an activation that W needs 0.5") != std::string::npos);
}
