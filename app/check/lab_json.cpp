// The result of a check as JSON, schema p2plab.check/1.
#include "app/check/demo_run.h"
#include "app/check/lab_check.h"
#include "app/check/shorten.h"

namespace p2plab::check {

namespace {

using analysis::Verdict;
using nlohmann::ordered_json;

ordered_json lab_words(const TextRef& what, const content::Text* text) {
  if (what.id.empty()) return nullptr;
  ordered_json params = ordered_json::object();
  for (const auto& [name, value] : what.params) params[name] = value;
  return {{"text", text == nullptr ? what.id : (*text)(what)}, {"id", what.id}, {"params", std::move(params)}};
}

ordered_json case_json(const std::optional<LabCase>& how) {
  if (!how) return nullptr;
  return {{"run", how->run}, {"ranks", how->ranks}, {"bytes", how->bytes ? ordered_json(*how->bytes) : ordered_json(nullptr)},
          {"strict", how->strict}, {"access", how->access}, {"delay", how->delay}, {"seed", how->seed}};
}

}  // namespace

TextRef seen_words(const LabOutcome& outcome) {
  constexpr std::string_view kRule = "lab-rule.";
  const TextRef& what = outcome.what;
  const bool heading = what.id == "lab-detail." + outcome.id && outcome.id != "files" && outcome.id != "build";  // "Expected: … Seen:"
  if (heading) return {};
  if (!what.id.starts_with(kRule)) return what;
  TextRef out{"lab-seen." + what.id.substr(kRule.size()), what.params};
  std::erase_if(out.params, [](const auto& param) { return param.first == "wanted" || param.first == "within" || param.first == "bytes" || param.first == "schedule"; });
  return out;
}

ordered_json to_json(const LabManifest& lab, const LabRequest& request, const LabResult& result, Disclosure disclosure, const content::Text* text) {
  ordered_json checks = ordered_json::array();
  int hidden = 0, hidden_failed = 0;
  for (const LabOutcome& outcome : result.checks) {
    if (outcome.hidden) {
      ++hidden;
      if (outcome.verdict == Verdict::fail) ++hidden_failed;
    }
    const bool silent = outcome.hidden || disclosure == Disclosure::none;
    ordered_json findings = ordered_json::array();
    if (!silent)
      for (const analysis::Finding& finding : outcome.findings) findings.push_back(to_json(finding, text));
    ordered_json one{{"id", outcome.id}, {"gate", outcome.gate}, {"verdict", std::string(to_string(outcome.verdict))}, {"weight", outcome.weight}, {"hidden", outcome.hidden}};
    if (const LabCheck* check = lab.check(outcome.id); check != nullptr && text != nullptr)
      one["title"] = text->language() == content::Language::zh ? check->title.zh : check->title.en;
    one["why"] = silent ? ordered_json(nullptr) : lab_words(disclosure == Disclosure::full ? outcome.what : seen_words(outcome), text);
    one["case"] = silent ? ordered_json(nullptr) : case_json(outcome.where);
    one["findings"] = std::move(findings);
    one["seen"] = silent ? ordered_json::object() : outcome.seen;
    one["wanted"] = silent || disclosure == Disclosure::actual_only ? ordered_json::object() : outcome.wanted;
    checks.push_back(std::move(one));
  }
  ordered_json out{{"schema", "p2plab.check/1"},
                   {"lab", lab.id},
                   {"verdict", std::string(to_string(result.verdict))},
                   {"score", result.score},
                   {"max_score", 1.0},
                   {"seed", request.seed},
                   {"cases", result.cases},
                   {"hidden", hidden},
                   {"hidden_failed", hidden_failed},
                   {"sandbox", result.no_sandbox.empty() ? ordered_json("bubblewrap") : ordered_json(nullptr)}};
  if (!result.why.id.empty()) out["why"] = lab_words(result.why, text);
  if (!result.compiler_text.empty() && result.verdict == Verdict::build_error) out["compiler"] = shortened(result.compiler_text);
  if (!result.ignored.empty()) out["ignored"] = result.ignored;
  if (!result.cut.id.empty()) out["output"] = lab_words(result.cut, text);
  if (!result.advice.id.empty()) out["advice"] = lab_words(result.advice, text);
  out["checks"] = std::move(checks);
  return out;
}

}  // namespace p2plab::check
