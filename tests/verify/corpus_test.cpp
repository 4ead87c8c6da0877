// `p2plab verify` on the corpus: the short tier, or with P2PLAB_TEST_ALL=1 every program.
#include <fmt/format.h>

#include <cstdlib>
#include <iterator>

#include "tests/support/catch.h"
#include "tests/verify/outcome.h"
#include "tests/verify/program.h"

using namespace p2plab::corpus;

TEST_CASE("the checker is right about the programs of the corpus") {
  const bool all = std::getenv("P2PLAB_TEST_ALL") != nullptr;
  auto programs = read_corpus(P2PLAB_SOURCE_DIR "/tests/verify/shapes");
  auto blind = read_corpus(P2PLAB_SOURCE_DIR "/tests/verify/blind");
  std::move(blind.begin(), blind.end(), std::back_inserter(programs));
  for (const Program& program : programs) {
    if (!all && !program.quick) continue;
    const Outcome outcome = verify(program);
    INFO(program.id << "  " << program.cflags);
    INFO("expected " << describe(program.expected) << ", got " << outcome.said);
    CHECK(outcome.verdict_right);
    CHECK(outcome.kind_right);
    CHECK(outcome.places_right);
  }
}
