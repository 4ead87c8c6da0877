// p2plab bench launch says how fast a cancelled job is gone and a killed rank's last span is seen, each beside its limit.
#include <nlohmann/json.hpp>

#include "tests/cli/process.h"
#include "tests/support/catch.h"

using nlohmann::json;

TEST_CASE("cancelling and killing are measured, and exceeding a limit is the exit status") {
  const auto ran = cli_test::p2plab({"bench", "launch", "--json", "-"});
  INFO(ran.err);
  REQUIRE(!ran.out.empty());
  const auto out = json::parse(ran.out);
  CHECK(out["bench"] == "launch");
  bool met = true;
  for (const auto& [name, limit] : std::map<std::string, double>{{"cancel", 200}, {"kill", 100}}) {
    CHECK(out[name]["limit_ms"] == limit);
    CHECK(out[name]["median_ms"].get<double>() >= 0);
    CHECK(out[name]["worst_ms"].get<double>() >= out[name]["median_ms"].get<double>());
    met = met && out[name]["median_ms"].get<double>() <= limit;
  }
  CHECK(out["cancel"]["median_ms"].get<double>() > 0);
  CHECK(out["met"] == met);
  CHECK(ran.status == (met ? 0 : 1));
}
