// The corpus's own rules: heads that are read, results that are judged.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/process.h"
#include "tests/support/catch.h"
#include "tests/verify/outcome.h"
#include "tests/verify/program.h"

using namespace p2plab::corpus;
using nlohmann::json;

namespace {

std::vector<Program> shape(const std::string& text) {
  cli_test::Scratch scratch;
  const auto folder = scratch / "deadlock";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "x.c") << text;
  return read_shape(folder / "x.c");
}

json result(const std::string& verdict, const std::string& kind, const std::string& certainty, int rank, int line) {
  const json site{{"rank", rank}, {"call", "MPI_Send"}, {"line", line}};
  return {{"verdict", verdict}, {"findings", {{{"kind", kind}, {"certainty", certainty}, {"sites", {site}}}}}};
}

}  // namespace

TEST_CASE("a shape yields a program for each variant, size and number of ranks") {
  const auto programs = shape(
      "// What it is: two ranks.\n// ranks: 2 4\n// sizes: small -DN=1, large -DN=9\n// cflags: -pthread\n"
      "// variant wrong small: -DWRONG => deadlock|livelock also crash at 0@here\n// variant right: => pass\n"
      "// quick: wrong/4 right/large\n\nint main() {  // @here\n}\n");
  REQUIRE(programs.size() == 6);
  CHECK(programs[0].id == "deadlock/x:wrong/small/2");
  CHECK(programs[0].cflags == "-pthread -DN=1 -DWRONG");
  CHECK(programs[0].expected.kinds == std::vector<std::string>{"deadlock", "livelock"});
  CHECK(programs[0].expected.also == std::vector<std::string>{"crash"});
  REQUIRE(programs[0].expected.places.size() == 1);
  CHECK(programs[0].expected.places[0].line == 9);
  CHECK(programs[5].id == "deadlock/x:right/large/4");
  CHECK(programs[5].ranks == 4);
  std::vector<std::string> quick;
  for (const auto& program : programs) {
    if (program.quick) quick.push_back(program.id);
  }
  CHECK(quick == std::vector<std::string>{"deadlock/x:wrong/small/4", "deadlock/x:right/large/2"});
}

TEST_CASE("a head that is not understood is an error, not a missing program") {
  CHECK_THROWS(shape("// no variant\nint x;\n"));
  CHECK_THROWS(shape("// variant wrong: -DWRONG\n"));
  CHECK_THROWS(shape("// variant wrong: => deadlock at 0@nowhere\n"));
  CHECK_THROWS(shape("// variant wrong: => deadlock somewhere\n"));
}

TEST_CASE("a result is right when its verdict, kinds and places are") {
  Expectation deadlock;
  deadlock.verdict = Expectation::Verdict::fail;
  deadlock.kinds = {"deadlock"};
  deadlock.places = {{1, 12}};
  CHECK(judge(deadlock, result("fail", "deadlock", "proven", 1, 12), 1).right());
  CHECK_FALSE(judge(deadlock, result("fail", "deadlock", "proven", 1, 13), 1).places_right);
  CHECK_FALSE(judge(deadlock, result("fail", "crash", "proven", 1, 12), 1).kind_right);
  CHECK(judge(deadlock, result("fail", "crash", "proven", 1, 12), 1).verdict_right);
  CHECK_FALSE(judge(deadlock, result("fail", "deadlock", "possible", 1, 12), 1).kind_right);
  CHECK_FALSE(judge(deadlock, result("fail", "deadlock", "proven", 1, 12), 0).verdict_right);
  CHECK_FALSE(judge(deadlock, result("pass", "deadlock", "possible", 1, 12), 0).verdict_right);

  json two = result("fail", "deadlock", "proven", 1, 12);
  two["findings"].push_back({{"kind", "request-leak"}, {"certainty", "proven"}});
  CHECK_FALSE(judge(deadlock, two, 1).kind_right);
  deadlock.also = {"request-leak"};
  CHECK(judge(deadlock, two, 1).kind_right);

  const Expectation pass;
  CHECK(judge(pass, result("pass", "message-race", "possible", 0, 1), 0).right());
  CHECK_FALSE(judge(pass, result("fail", "deadlock", "proven", 0, 1), 1).verdict_right);
  CHECK_FALSE(judge(pass, json{{"verdict", "infra-error"}, {"findings", json::array()}}, 3).verdict_right);
}

TEST_CASE("the corpus is as large and as varied as promised, and each wrong program has its correct twin") {
  const auto programs = read_corpus(P2PLAB_SOURCE_DIR "/tests/verify/shapes");
  std::set<std::string> shapes, kinds, ids;
  std::map<std::string, std::set<bool>> twins;
  std::size_t quick = 0, cpp = 0;
  for (const auto& program : programs) {
    shapes.insert(program.source);
    ids.insert(program.id);
    kinds.insert(program.expected.kinds.begin(), program.expected.kinds.end());
    twins[program.source].insert(program.expected.verdict == Expectation::Verdict::pass);
    quick += program.quick ? 1 : 0;
    cpp += program.source.extension() == ".cpp" ? 1 : 0;
  }
  CHECK(programs.size() >= 200);
  CHECK(ids.size() == programs.size());
  CHECK(shapes.size() >= 70);
  CHECK(cpp >= 40);
  CHECK(quick >= 20);
  for (const char* kind : {"deadlock", "unsafe-buffering", "send-buffer-race", "recv-buffer-race", "message-race",
                           "request-leak", "type-mismatch", "size-mismatch", "unmatched-message", "collective-mismatch",
                           "invalid-argument", "resource-leak", "crash", "livelock", "resource-limit", "wrong-exit"}) {
    INFO(kind);
    CHECK(kinds.contains(kind));
  }
  for (const auto& [source, verdicts] : twins) {
    INFO(source);
    CHECK(verdicts.contains(true));
  }
}
