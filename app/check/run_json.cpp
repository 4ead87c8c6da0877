// A run as JSON, schema p2plab.run/1, and back again.
#include "app/check/demo_run.h"

namespace p2plab::check {

namespace {

using nlohmann::ordered_json;

ordered_json or_null(int value) { return value == trace::kNone ? ordered_json(nullptr) : ordered_json(value); }
ordered_json or_null(const std::string& value) { return value.empty() ? ordered_json(nullptr) : ordered_json(value); }

ordered_json to_json(const analysis::Site& site) {
  return {{"rank", site.rank},          {"call", or_null(site.call)},
          {"file", or_null(site.file)}, {"line", site.line > 0 ? ordered_json(site.line) : ordered_json(nullptr)},
          {"peer", or_null(site.peer)}, {"tag", or_null(site.tag)},
          {"comm", or_null(site.comm)}, {"bytes", site.bytes}};
}

ordered_json to_json(const Params& params) {
  ordered_json out = ordered_json::object();
  for (const auto& [name, value] : params) out[name] = value;
  return out;
}

/// The sentence if there is a language, else the id.
std::string said(const TextRef& text_ref, const content::Text* text) { return text == nullptr ? text_ref.id : (*text)(text_ref); }

std::string value_text(const ordered_json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

}  // namespace

ordered_json knob_json(const std::string& value) {
  const auto amount = parse_amount(value);
  // "64K" never comes here: a knob that takes amounts keeps the whole number. A choice is a number only if it is written as one.
  return amount && std::to_string(*amount) == value ? ordered_json(*amount) : ordered_json(value);
}

ordered_json to_json(const analysis::Finding& finding, const content::Text* text) {
  ordered_json sites = ordered_json::array();
  for (const analysis::Site& site : finding.sites) sites.push_back(to_json(site));
  return {{"kind", finding.kind},
          {"certainty", finding.certainty == analysis::Certainty::proven ? "proven" : "possible"},
          {"sites", std::move(sites)},
          {"count", finding.count},
          {"detail", said(finding.detail, text)},
          {"detail_id", finding.detail.id},
          {"detail_params", to_json(finding.detail.params)}};
}

ordered_json to_json(const RunRequest& request, const DemoManifest& demo, const RunResult& result, const content::Text* text) {
  ordered_json knobs = ordered_json::object();
  for (const Knob& knob : demo.knobs) {  // in the manifest's order
    const auto found = request.knobs.find(knob.id);
    knobs[knob.id] = knob_json(found == request.knobs.end() ? knob.default_value : found->second);
  }
  for (const auto& [id, value] : request.knobs)  // and those of the virtual machine that were set
    if (demo.knob(id) == nullptr) knobs[id] = knob_json(value);
  ordered_json findings = ordered_json::array();
  for (const analysis::Finding& finding : result.findings) findings.push_back(to_json(finding, text));
  ordered_json out{{"schema", "p2plab.run/1"},
                   {"demo", request.demo},
                   {"backend", request.backend},
                   {"semantics", request.semantics},
                   {"link", request.link},
                   {"compute", request.compute},
                   {"ranks", request.ranks},
                   {"seed", request.seed},
                   {"strict", request.strict},
                   {"knobs", std::move(knobs)},
                   {"verdict", std::string(analysis::to_string(result.verdict))},
                   {"promised", result.promised ? ordered_json(std::string(analysis::to_string(*result.promised))) : nullptr},
                   {"as_promised", result.as_promised}};
  if (result.not_shown) out["not_shown"] = to_json(*result.not_shown);
  if (!result.why.id.empty()) {
    out["why"] = {{"text", said(result.why, text)}, {"id", result.why.id}, {"params", to_json(result.why.params)}};
  }
  out["findings"] = std::move(findings);
  out["metrics"] = result.metrics.is_null() ? ordered_json::object() : result.metrics;
  if (!result.warnings.empty()) out["warnings"] = ordered_json::array();
  for (const TextRef& warning : result.warnings) {
    out["warnings"].push_back({{"text", said(warning, text)}, {"id", warning.id}, {"params", to_json(warning.params)}});
  }
  out["trace"] = nullptr;
  out["machine"] = {{"cores", result.cores}, {"mpi", or_null(result.machine_mpi)}};
  return out;
}

RunRequest request_from(const trace::RunInfo& run) {
  RunRequest request;
  request.demo = run.demo;
  request.backend = run.backend;
  request.semantics = run.semantics;
  request.link = run.link;
  request.compute = run.compute;
  request.ranks = run.ranks;
  request.seed = run.seed;
  request.strict = run.strict;
  request.knobs = run.knobs;
  return request;
}

RunRequest request_from(const ordered_json& run, const std::string& file) {
  const bool right_schema = run.is_object() && run.contains("schema") && run["schema"] == "p2plab.run/1";
  if (!right_schema) throw Error("run.not_a_run", {{"file", file}, {"what", "schema p2plab.run/1"}});
  const auto field = [&](const char* name, bool (ordered_json::*is_right)() const noexcept) -> const ordered_json& {
    if (!run.contains(name) || !(run[name].*is_right)()) throw Error("run.broken_run", {{"file", file}, {"field", name}});
    return run[name];
  };
  const auto word = [&](const char* name) { return field(name, &ordered_json::is_string).get<std::string>(); };
  RunRequest request;
  request.demo = word("demo");
  request.backend = word("backend");
  request.semantics = word("semantics");
  request.link = word("link");
  request.compute = word("compute");
  request.ranks = field("ranks", &ordered_json::is_number_integer).get<int>();
  request.seed = field("seed", &ordered_json::is_number_unsigned).get<std::uint64_t>();
  request.strict = field("strict", &ordered_json::is_boolean).get<bool>();
  for (const auto& [id, value] : field("knobs", &ordered_json::is_object).items()) request.knobs[id] = value_text(value);
  return request;
}

}  // namespace p2plab::check
