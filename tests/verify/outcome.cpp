// One run of `p2plab verify`, and its judgement.
#include "tests/verify/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "tests/cli/process.h"

namespace p2plab::corpus {

namespace {

using nlohmann::json;

bool holds(const std::vector<std::string>& list, const std::string& what) {
  return std::find(list.begin(), list.end(), what) != list.end();
}

/// Absent values are null.
std::string text_of(const json& object, const char* key) {
  return object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : "?";
}
int number_of(const json& object, const char* key) {
  return object.contains(key) && object[key].is_number() ? object[key].get<int>() : -1;
}

std::string one_line(const json& result, int exit_status) {
  std::string out = text_of(result, "verdict");
  for (const json& finding : result.value("findings", json::array())) {
    out += fmt::format("; {} {}", text_of(finding, "certainty"), text_of(finding, "kind"));
    for (const json& site : finding.value("sites", json::array())) {
      out += fmt::format(" {}@{}:{}", number_of(site, "rank"), text_of(site, "call"), number_of(site, "line"));
    }
  }
  return out + fmt::format(" (exit {})", exit_status);
}

bool has_site(const json& finding, const Place& place) {
  const json sites = finding.value("sites", json::array());
  return std::any_of(sites.begin(), sites.end(), [&](const json& site) {
    return number_of(site, "rank") == place.rank && number_of(site, "line") == place.line;
  });
}

}  // namespace

Outcome judge(const Expectation& expected, const json& result, int exit_status) {
  using Verdict = Expectation::Verdict;
  Outcome out;
  out.said = one_line(result, exit_status);
  const std::string verdict = text_of(result, "verdict");
  std::vector<json> proven;
  for (const json& finding : result.value("findings", json::array())) {
    if (text_of(finding, "certainty") == "proven") proven.push_back(finding);
  }
  switch (expected.verdict) {
    case Verdict::pass:
      out.verdict_right = verdict == "pass" && exit_status == 0;
      out.kind_right = out.places_right = out.verdict_right && proven.empty();
      // A miss that comes once in a thousand runs is known by this alone.
      if (!out.kind_right) out.said += "\n" + result.value("findings", json::array()).dump() + "\n" + result.value("runs", json::array()).dump();
      return out;
    case Verdict::build_error:
      out.verdict_right = verdict == "build-error" && exit_status == 1;
      out.kind_right = out.places_right = out.verdict_right;
      return out;
    case Verdict::anything_but_pass:
      out.verdict_right = verdict != "?" && verdict != "pass" && exit_status != 0;
      out.kind_right = out.places_right = out.verdict_right;
      return out;
    case Verdict::fail:
      break;
  }
  out.verdict_right = verdict == "fail" && exit_status == 1;
  const auto wanted = [&](const json& finding) { return holds(expected.kinds, text_of(finding, "kind")); };
  out.kind_right = out.verdict_right && std::any_of(proven.begin(), proven.end(), wanted) &&
                   std::all_of(proven.begin(), proven.end(), [&](const json& finding) {
                     return wanted(finding) || holds(expected.also, text_of(finding, "kind"));
                   });
  out.places_right =
      out.kind_right && std::all_of(expected.places.begin(), expected.places.end(), [&](const Place& place) {
        return std::any_of(proven.begin(), proven.end(),
                           [&](const json& finding) { return wanted(finding) && has_site(finding, place); });
      });
  return out;
}

Outcome verify(const Program& program) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::string> command = {
      "verify",    program.source.string(),           "--ranks", std::to_string(program.ranks),
      "--timeout", std::to_string(program.timeout_s), "--json",  "-"};
  if (!program.cflags.empty()) command.push_back("--cflags=" + program.cflags);
  const cli_test::Ended ended = cli_test::p2plab(command);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  const json result = json::parse(ended.out, nullptr, false);
  Outcome out;
  if (result.is_object()) {
    out = judge(program.expected, result, ended.status);
  } else {
    out.said = fmt::format("no JSON (exit {}): {}", ended.status, ended.err.substr(0, 300));
  }
  out.seconds = took.count();
  return out;
}

}  // namespace p2plab::corpus
