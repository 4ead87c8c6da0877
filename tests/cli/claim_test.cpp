// p2plab claims, claim show and claim run: exit status, outcome, JSON, report.
#include <algorithm>

#include "tests/cli/process.h"
#include "tests/support/catch.h"
#include <nlohmann/json.hpp>

using cli_test::p2plab;
using nlohmann::json;

TEST_CASE("claims are listed, for people and as JSON") {
  const auto listed = p2plab({"claims", "--json", "-"});
  REQUIRE(listed.status == 0);
  const auto all = json::parse(listed.out);
  CHECK(all["schema"] == "p2plab.claims/1");
  CHECK(all["claims"].size() >= 60);
  CHECK(p2plab({"claims", "--lang", "zh"}).out.find("不成立") != std::string::npos);
}

TEST_CASE("a false claim that is refuted is a success, with the number and the better sentence") {
  const auto ran = p2plab({"claim", "run", "1f1b-smaller-bubble", "--json", "-"});
  REQUIRE(ran.status == 0);
  const auto out = json::parse(ran.out);
  CHECK(out["schema"] == "p2plab.claim/1");
  CHECK(out["outcome"] == "refuted");
  CHECK(out["as_declared"] == true);
  CHECK(out["number"] == Approx(1.0));
  CHECK(ran.err.find("Same bubble") != std::string::npos);
}

TEST_CASE("the counter-setting says the other side") {
  const auto ran = p2plab({"claim", "run", "1f1b-smaller-bubble", "--counter", "--json", "-"});
  REQUIRE(ran.status == 0);
  CHECK(json::parse(ran.out)["outcome"] == "confirmed");
}

TEST_CASE("the same claim gives the same JSON twice") {
  const std::vector<std::string> command{"claim", "run", "all-reduce-pipeline-serial", "--json", "-"};
  CHECK(p2plab(command).out == p2plab(command).out);
}

TEST_CASE("what no run can show is documented, with its sources") {
  const auto ran = p2plab({"claim", "run", "gpipe-title-large"});
  CHECK(ran.status == 0);
  CHECK(ran.out.find("documented") != std::string::npos);
  CHECK(ran.out.find("Giant Neural Networks") != std::string::npos);
  CHECK(p2plab({"claim", "run", "gpipe-title-large", "--counter"}).status == 2);
}

TEST_CASE("a claim is shown with its verdict, experiment and sources, in either language") {
  const auto en = p2plab({"claim", "show", "must-be-nonblocking"});
  CHECK(en.status == 0);
  CHECK(en.out.find("p2plab sim 1f1b -p 4 -m 16") != std::string::npos);
  CHECK(en.out.find("DeepSpeed") != std::string::npos);
  CHECK(p2plab({"claim", "show", "must-be-nonblocking", "--lang", "zh"}).out.find("不成立") != std::string::npos);
}

TEST_CASE("a report is a page with its pictures") {
  const cli_test::Scratch scratch;
  const auto ran = p2plab({"claim", "run", "1f1b-never-loses", "--html", (scratch / "报告 1.html").string()});
  REQUIRE(ran.status == 0);
  const std::string page = cli_test::read_file(scratch / "报告 1.html");
  CHECK(page.find("<svg") != std::string::npos);
  CHECK(page.find("eager 1F1B wins it back") != std::string::npos);
  CHECK(page.find("<script") == std::string::npos);
}

TEST_CASE("claim is told what to run, and only what there is") {
  CHECK(p2plab({"claim"}).status == 2);
  CHECK(p2plab({"claim", "run"}).status == 2);
  CHECK(p2plab({"claim", "run", "x", "--all"}).status == 2);
  const auto near = p2plab({"claim", "run", "gpipe-is-1f1"});
  CHECK(near.status == 2);
  CHECK(near.err.find("gpipe-is-1f1b") != std::string::npos);
  CHECK(p2plab({"claim", "run", "gpipe-is-1f1b", "--backend", "cuda"}).status == 2);
  CHECK(cli_test::lines(p2plab({"claim", "run", "gpipe-is-1f1b", "--backend", "cuda"}).err) == 1);
}
