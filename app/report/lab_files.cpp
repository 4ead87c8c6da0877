// See lab_files.h.
#include "app/report/lab_files.h"

#include <fmt/format.h>

#include "app/check/shorten.h"
#include "app/report/lab_text.h"
#include "app/report/utf8.h"

namespace p2plab::report {

namespace {

using analysis::Verdict;
using check::Disclosure;
using check::LabOutcome;

/// Text that XML may hold: what is no UTF-8, and what no XML may contain, is replaced.
std::string xml(const std::string& raw) {
  std::string out;
  const std::string text = nlohmann::json::parse(nlohmann::json(raw).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)).get<std::string>();
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? ' ' : c;
    }
  }
  return out;
}

/// With what the compiler says of a program that does not compile.
std::string all_lines(const check::LabManifest& lab, const check::LabResult& result, const LabOutcome& outcome, Disclosure disclosure, const content::Text& text) {
  std::string out;
  for (const std::string& line : lab_lines(lab, outcome, disclosure, text)) out += line + "\n";
  if (outcome.id == "build" && outcome.verdict == Verdict::fail && disclosure != Disclosure::none) out += check::shortened(result.compiler_text);
  return out;
}

}  // namespace

std::string lab_junit(const check::LabManifest& lab, const check::LabRequest& request, const check::LabResult& result, Disclosure disclosure, const content::Text& text) {
  int failures = 0, skipped = 0, errors = 0, extra = 0;
  std::string cases;
  for (const LabOutcome& outcome : result.checks) {
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n      <properties><property name=\"points\" value=\"{:.6g}\"/><property name=\"max_points\" value=\"{:.6g}\"/></properties>\n",
                         xml(lab.id), xml(outcome.id), outcome.verdict == Verdict::pass ? outcome.weight : 0.0, outcome.weight);
    const std::string body = xml(all_lines(lab, result, outcome, disclosure, text));
    if (outcome.verdict == Verdict::fail && outcome.cause == Verdict::infra_error) {
      ++errors;
      cases += fmt::format("      <error type=\"infra-error\">{}</error>\n", body);
    } else if (outcome.verdict == Verdict::fail) {
      ++failures;
      cases += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", to_string(outcome.cause), xml(lab_title(lab, outcome, text)), body);
    } else if (outcome.verdict != Verdict::pass) {
      ++skipped;
      cases += fmt::format("      <skipped message=\"{}\"/>\n", xml(text(outcome.what)));
    }
    cases += "    </testcase>\n";
  }
  // No suite without a failure where the whole did not pass: an unstable verdict, or none, is no check's own.
  if (result.verdict != Verdict::pass && failures + errors == 0) {
    const bool judged = result.verdict == Verdict::unstable;
    ++(judged ? failures : errors);
    const std::string verdict(to_string(result.verdict));
    cases += fmt::format("    <testcase classname=\"{}\" name=\"verdict\">\n      <{} type=\"{}\" message=\"{}\">{}</{}>\n    </testcase>\n", xml(lab.id), judged ? "failure" : "error", verdict,
                         xml(text("verdict." + verdict)), xml(result.why.id.empty() ? "" : text(result.why)), judged ? "failure" : "error");
    ++extra;
  }
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n"
                     "    <properties><property name=\"verdict\" value=\"{}\"/><property name=\"score\" value=\"{:.6g}\"/><property name=\"seed\" value=\"{}\"/></properties>\n{}  </testsuite>\n</testsuites>\n",
                     xml(lab.id), result.checks.size() + static_cast<std::size_t>(extra), failures, errors, skipped, to_string(result.verdict), result.score, request.seed, cases);
}

nlohmann::ordered_json lab_gradescope(const check::LabManifest& lab, const check::LabRequest& request, const check::LabResult& result, Disclosure disclosure, const content::Text& text) {
  using nlohmann::ordered_json;
  double all = 0;
  for (const LabOutcome& outcome : result.checks) all += outcome.weight;
  ordered_json tests = ordered_json::array();
  for (const LabOutcome& outcome : result.checks) {
    const double points = all > 0 ? 100 * outcome.weight / all : 0;
    const bool passed = outcome.verdict == Verdict::pass;
    ordered_json test{{"name", outcome.hidden ? text("lab.hidden_one") : lab_title(lab, outcome, text)},
                      {"number", outcome.id},
                      {"score", passed ? points : 0.0},
                      {"max_score", points},
                      {"status", passed ? "passed" : "failed"},
                      {"visibility", outcome.hidden ? "hidden" : "visible"},
                      {"output_format", "text"},
                      {"output", outcome.verdict == Verdict::not_run ? text(outcome.what) : all_lines(lab, result, outcome, disclosure, text)}};
    tests.push_back(std::move(test));
  }
  std::string output = text("verdict." + std::string(to_string(result.verdict))) + ". " + text("lab.conditions", {{"cases", std::to_string(result.cases)}, {"seed", std::to_string(request.seed)}});
  if (!result.why.id.empty()) output += "\n" + text(result.why);
  return {{"score", 100 * result.score}, {"output", output}, {"output_format", "text"}, {"visibility", "visible"}, {"tests", std::move(tests)}};
}

}  // namespace p2plab::report
