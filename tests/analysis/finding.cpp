// Words and places of findings.
#include "app/analysis/finding.h"

#include "tests/support/catch.h"

using namespace p2plab::analysis;

TEST_CASE("Verdicts are spelt as the contract spells them") {
  CHECK(to_string(Verdict::pass) == "pass");
  CHECK(to_string(Verdict::build_error) == "build-error");
  CHECK(to_string(Verdict::resource_limit) == "resource-limit");
  CHECK(to_string(Verdict::unsafe) == "unsafe");
  CHECK(to_string(Verdict::not_run) == "not-run");
  CHECK(to_string(Verdict::infra_error) == "infra-error");
}

TEST_CASE("A site is a file and a line; without a line the text is the file") {
  CHECK(split_site("demos/a b.cpp:12") == std::pair<std::string, int>{"demos/a b.cpp", 12});
  CHECK(split_site("c:/x.cpp:7") == std::pair<std::string, int>{"c:/x.cpp", 7});
  CHECK(split_site("x.cpp") == std::pair<std::string, int>{"x.cpp", 0});
  CHECK(split_site("x.cpp:") == std::pair<std::string, int>{"x.cpp:", 0});
  CHECK(split_site("") == std::pair<std::string, int>{"", 0});
}
