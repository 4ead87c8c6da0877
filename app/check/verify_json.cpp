// The result of `verify` as JSON, schema p2plab.verify/1.
#include "app/check/demo_run.h"
#include "app/check/verify.h"

namespace p2plab::check {

nlohmann::ordered_json to_json(const VerifyRequest& request, const VerifyResult& result, const content::Text* text) {
  using nlohmann::ordered_json;
  ordered_json findings = ordered_json::array();
  for (const analysis::Finding& finding : result.findings) findings.push_back(to_json(finding, text));
  ordered_json runs = ordered_json::array();
  for (const VerifiedRun& run : result.runs) {
    ordered_json forced = ordered_json::array();
    for (const trace::ForcedMatch& match : run.forced) forced.push_back({{"rank", match.rank}, {"wildcard", match.wildcard}, {"source", match.source}});
    runs.push_back({{"strict", run.strict}, {"access", run.access}, {"forced", std::move(forced)},
                    {"verdict", std::string(analysis::to_string(run.verdict))}, {"wall_ns", run.wall_ns}});
  }
  ordered_json out{{"schema", "p2plab.verify/1"},
                   {"program", request.program.string()},
                   {"ranks", request.ranks},
                   {"seed", request.seed},
                   {"verdict", std::string(analysis::to_string(result.verdict))}};
  if (!result.why.id.empty()) {
    ordered_json params = ordered_json::object();
    for (const auto& [name, value] : result.why.params) params[name] = value;
    out["why"] = {{"text", text == nullptr ? result.why.id : (*text)(result.why)}, {"id", result.why.id}, {"params", std::move(params)}};
  }
  if (!result.compiler_text.empty()) out["compiler"] = result.compiler_text;
  out["findings"] = std::move(findings);
  out["runs"] = std::move(runs);
  out["buffers"] = result.instrumented ? "exact" : "hashes";
  out["metrics"] = result.metrics;
  out["trace"] = nullptr;
  return out;
}

}  // namespace p2plab::check
