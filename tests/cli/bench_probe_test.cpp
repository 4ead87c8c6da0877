// p2plab bench probe says what the profiling layer costs, without and with hashing, beside its limit and whether it is kept.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/process.h"
#include "tests/support/catch.h"

using nlohmann::json;

TEST_CASE("the profiling layer is measured at both sizes, and each that exceeds its limit is named") {
  if (!std::filesystem::exists(P2PLAB_BUILD_DIR "/lib/p2plab/p2plab-bench-probe")) {
    WARN("skipped: the profiling layer was not built");
    return;
  }
  const auto ran = cli_test::p2plab({"bench", "probe", "--json", "-"});
  INFO(ran.err);
  REQUIRE(!ran.out.empty());
  const auto out = json::parse(ran.out);
  CHECK(out["bench"] == "probe");
  REQUIRE(out["sizes"].size() == 2);
  const double limits[] = {1.25, 1.05};
  bool kept = true;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& size = out["sizes"][i];
    CHECK(size["bytes"] == (i == 0 ? 8 : 65536));
    CHECK(size["pairs"].get<int>() >= 2);
    CHECK(size["limit"] == limits[i]);
    for (const char* measured : {"bare_ns", "probe_ns", "ratio", "hashed_bare_ns", "hashed_ns", "hashed_ratio"}) CHECK(size[measured].get<double>() > 0);
    const bool exceeds = size["ratio"].get<double>() > limits[i];
    kept = kept && !exceeds;
    const auto bytes = std::to_string(size["bytes"].get<int>());
    CHECK((ran.err.find("Too dear: a message of " + bytes + " ") != std::string::npos) == exceeds);
  }
  CHECK(out["within_limits"] == kept);
  CHECK(ran.status == (kept ? 0 : 1));
}
