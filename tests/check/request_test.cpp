// A run request is made whole, or refused with what was probably meant.
#include "app/check/demo_run.h"

#include "tests/check/fixture.h"
#include "tests/support/catch.h"

using namespace check_fixture;

namespace {

TextRef refused(const std::function<void(check::RunRequest&)>& change) {
  check::RunRequest request;
  request.demo = "toy";
  change(request);
  try {
    check::complete(toy(), request);
  } catch (const Error& error) {
    CHECK(error.exit_status() == 2);
    return error.text();
  }
  return {"accepted", {}};
}

std::string param(const TextRef& text, const std::string& name) {
  for (const auto& [key, value] : text.params) {
    if (key == name) return value;
  }
  return {};
}

}  // namespace

TEST_CASE("amounts take K, M and G, and nothing that is no amount") {
  CHECK(check::parse_amount("64") == 64);
  CHECK(check::parse_amount("64K") == 65536);
  CHECK(check::parse_amount("4KiB") == 4096);
  CHECK(check::parse_amount("1m") == 1 << 20);
  CHECK(check::parse_amount("2GB") == std::int64_t{2} << 30);
  CHECK(check::parse_amount("-3") == -3);
  for (const char* word : {"", "K", "1.5M", "12 ", "64x", "1MM", "9999999999999999999", "9999999999G"}) {
    INFO(word);
    CHECK_FALSE(check::parse_amount(word).has_value());
  }
}

TEST_CASE("defaults are filled in and sizes become bytes") {
  const auto request = toy_request({{"bytes", "64K"}});
  CHECK(request.ranks == 2);
  CHECK(request.knobs.at("bytes") == "65536");
  CHECK(request.knobs.at("variant") == "broken");
  CHECK(request.knobs.at("rounds") == "3");
}

TEST_CASE("an unknown knob, value, backend or rule names the nearest known one") {
  const auto knob = refused([](auto& r) { r.knobs["byte"] = "1"; });
  CHECK(knob.id == "run.unknown_knob");
  CHECK(param(knob, "nearest") == "bytes");
  const auto value = refused([](auto& r) { r.knobs["variant"] = "fixd"; });
  CHECK(value.id == "run.bad_choice");
  CHECK(param(value, "nearest") == "fixed");
  CHECK(refused([](auto& r) { r.backend = "hots"; }).id == "run.unknown_backend");
  CHECK(refused([](auto& r) { r.backend = "cuda"; }).id == "run.backend_not_supported");
  CHECK(refused([](auto& r) { r.semantics = "ncl"; }).id == "run.unknown_semantics");
  CHECK(refused([](auto& r) { r.compute = "fast"; }).id == "run.unknown_compute_far");
}

TEST_CASE("numbers out of range and ranks the demo cannot take are refused") {
  CHECK(refused([](auto& r) { r.knobs["rounds"] = "11"; }).id == "run.out_of_range");
  CHECK(refused([](auto& r) { r.knobs["rounds"] = "-1"; }).id == "run.out_of_range");
  CHECK(refused([](auto& r) { r.knobs["rounds"] = "many"; }).id == "run.bad_value");
  CHECK(refused([](auto& r) { r.ranks = 1; }).id == "run.too_few_ranks");
  CHECK(refused([](auto& r) { r.ranks = 5; }).id == "run.too_many_ranks");
  CHECK(refused([](auto& r) { r.timeout_s = 0; }).id == "run.bad_timeout");
}

TEST_CASE("a run's JSON gives the same request back") {
  check::RunRequest request = toy_request({{"bytes", "2K"}, {"variant", "fixed"}});
  request.knobs["eager_limit"] = "0";  // of the virtual machine, not of the demo
  request.seed = 18446744073709551615ull;
  request.strict = true;
  request.ranks = 3;
  const auto json = nlohmann::ordered_json::parse(check::to_json(request, toy(), {}).dump());
  const check::RunRequest again = check::request_from(json);
  CHECK(again.demo == "toy");
  CHECK(again.knobs == request.knobs);
  CHECK(again.seed == request.seed);
  CHECK(again.strict);
  CHECK(again.ranks == 3);
  CHECK_THROWS_AS(check::request_from(nlohmann::ordered_json::parse("{\"schema\":\"p2plab.sim/1\"}")), Error);
  CHECK_THROWS_AS(check::request_from(nlohmann::ordered_json::parse("[1]")), Error);
  for (const char* broken : {"{\"schema\":\"p2plab.run/1\"}", "{\"schema\":\"p2plab.run/1\",\"demo\":3}"}) {
    try {
      check::request_from(nlohmann::ordered_json::parse(broken), "mine.json");
      FAIL("taken for a run");
    } catch (const Error& error) {
      CHECK(error.text().id == "run.broken_run");
      CHECK(error.text().params == Params{{"file", "mine.json"}, {"field", "demo"}});
    }
  }
}

TEST_CASE("the JSON of a run has the contract's fields, with numbers as numbers") {
  check::RunResult result;
  result.verdict = analysis::Verdict::deadlock;
  result.as_promised = true;
  analysis::Finding finding;
  finding.kind = "deadlock";
  analysis::Site site;
  site.rank = 1;
  site.call = "send";
  site.file = "a.cpp";
  site.line = 12;
  site.peer = 0;
  site.bytes = 64;
  finding.sites = {site};
  result.findings = {finding};
  const auto json = check::to_json(toy_request(), toy(), result);
  for (const char* key : {"schema", "demo", "backend", "semantics", "link", "compute", "ranks", "seed", "strict", "knobs", "verdict",
                          "as_promised", "findings", "metrics", "trace", "machine"}) {
    INFO(key);
    CHECK(json.contains(key));
  }
  CHECK(json["schema"] == "p2plab.run/1");
  CHECK(json["verdict"] == "deadlock");
  CHECK(json["knobs"]["bytes"] == 1048576);
  CHECK(json["knobs"]["variant"] == "broken");
  CHECK(json["trace"].is_null());
  CHECK(json["findings"][0]["certainty"] == "proven");
  CHECK(json["findings"][0]["sites"][0]["line"] == 12);
  CHECK(json["findings"][0]["sites"][0]["tag"].is_null());
  CHECK_FALSE(json["findings"][0]["sites"][0].contains("span"));
}
