// p2plab bench pingpong says both costs of a message, recording off and on, each beside its limit and whether it is kept.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/process.h"
#include "tests/support/catch.h"

using nlohmann::json;

TEST_CASE("the ping-pong is measured with recording off and on, and each line says its limit and whether it is kept") {
  if (!std::filesystem::exists(P2PLAB_BUILD_DIR "/lib/p2plab/p2plab-bench-pingpong")) {
    WARN("skipped: the backend host was not built");
    return;
  }
  const auto ran = cli_test::p2plab({"bench", "pingpong", "--json", "-"});
  INFO(ran.err);
  REQUIRE(!ran.out.empty());
  const auto out = json::parse(ran.out);
  REQUIRE(out["sizes"].size() == 2);
  const double on[] = {1.25, 1.05}, off[] = {1.15, 1.05};
  bool kept = true;
  int exceeded = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& size = out["sizes"][i];
    CHECK(size["bytes"] == (i == 0 ? 8 : 65536));
    CHECK(size["pairs"].get<int>() >= 61);
    CHECK(size["limit"] == on[i]);
    CHECK(size["off_limit"] == off[i]);
    for (const auto& [ratio, limit] : {std::pair{size["ratio"].get<double>(), on[i]}, std::pair{size["off_ratio"].get<double>(), off[i]}}) {
      CHECK(ratio > 0);
      kept = kept && ratio <= limit;
      exceeded += ratio > limit ? 1 : 0;
    }
  }
  CHECK(out["within_limits"] == kept);
  CHECK(ran.status == (kept ? 0 : 1));
  const auto count = [&](const std::string& word) {
    int found = 0;
    for (std::size_t at = ran.err.find(word); at != std::string::npos; at = ran.err.find(word, at + 1)) ++found;
    return found;
  };
  CHECK(count("recording off") == 2);
  CHECK(count("recording on") == 2);
  CHECK(count("×, exceeded") == exceeded);
  CHECK(count("×, kept") == 4 - exceeded);
}
