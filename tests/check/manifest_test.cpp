// demo.toml: what is read, and what is refused before anything runs.
#include "app/check/demo_manifest.h"

#include "app/check/demo_run.h"
#include "app/check/links.h"
#include "tests/check/fixture.h"
#include "tests/support/catch.h"

using namespace check_fixture;

namespace {

std::string refusal(const std::string& toml) {
  try {
    check::load_demo(DemoFolder(toml).folder());
  } catch (const Error& error) {
    CHECK(error.text().id == "manifest.broken");
    CHECK(error.exit_status() == 2);
    return error.what();
  }
  return "accepted";
}

bool says(const std::string& sentence, const std::string& part) { return sentence.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a manifest gives the demo's knobs, promises and regions") {
  const auto demo = toy();
  CHECK(demo.id == "toy");
  CHECK(demo.max_ranks == 4);
  REQUIRE(demo.knob("bytes") != nullptr);
  CHECK(demo.knob("bytes")->type == check::Knob::Type::bytes);
  CHECK(demo.knob("bytes")->default_value == "1048576");
  CHECK(demo.knob("bytes")->maximum == 16 << 20);
  CHECK(demo.knob("rounds")->type == check::Knob::Type::integer);
  CHECK(demo.knob("variant")->choices == std::vector<std::string>{"broken", "fixed"});
  CHECK(demo.knob("nothing") == nullptr);
  REQUIRE(demo.promises.size() == 4);
  CHECK(demo.promises[0].verdict == analysis::Verdict::deadlock);
  CHECK(demo.promises[0].when.at("strict") == "true");
  CHECK(demo.regions.at("broken") == "broken");
  CHECK(demo.fixes.at("broken") == "fixed");
}

TEST_CASE("a broken manifest is refused with file, line and reason") {
  CHECK(says(refusal("id = \n"), "line=1"));
  CHECK(says(refusal(head() + "colour = 1\n" + knobs() + promises()), "colour"));
  CHECK(says(refusal(head() + "rank = 1\n" + knobs() + promises()), "meant \"ranks\""));
  CHECK(says(refusal(head() + knobs()), "[[promise]]"));
  CHECK(says(refusal(head() + knobs() + promises() + "nobody = \"fixed\"\n"), "nobody"));
  CHECK(says(refusal(head() + "[[knob]]\nid = \"k\"\ndefault = 7\nmin = 8\nmax = 9\ntitle = { en = \"K\", zh = \"K\" }\nhelp = { en = \"K\", zh = \"K\" }\n" + promises()), "outside min and max"));
  std::string typo = promises();
  typo.replace(typo.find("variant"), 7, "variatn");
  CHECK(says(refusal(head() + knobs() + typo), "variatn"));
  std::string verdict = promises();
  verdict.replace(verdict.find("\"deadlock\""), 10, "\"timeout\"");
  CHECK(says(refusal(head() + knobs() + verdict), "timeout"));
}

TEST_CASE("the demos of the tree have manifests that can be read, the design card's first") {
  const auto demos = check::load_demos(fs::path(P2PLAB_SOURCE_DIR) / "demos");
  REQUIRE(!demos.empty());
  CHECK(demos.front().id == "deadlock");
  for (const auto& demo : demos) {
    INFO(demo.id);
    CHECK_NOTHROW(check::complete(demo, [&] {
      check::RunRequest request;
      request.demo = demo.id;
      return request;
    }()));
  }
}

TEST_CASE("every link preset has a source, and becomes what a rank understands") {
  const auto links = check::load_links(fs::path(P2PLAB_SOURCE_DIR) / "assets/links.toml");
  REQUIRE(links.size() >= 5);
  for (const auto& link : links) CHECK(link.source.size() > 20);
  CHECK(check::link_argument(links, "raw") == "raw");
  CHECK(check::link_argument(links, "ib-ndr") == "ib-ndr:14000:50000000000");
  CHECK_THROWS_AS(check::link_argument(links, "ib-nrd"), Error);
}
