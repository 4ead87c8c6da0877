// See saved_runs.h.
#include "app/report/saved_runs.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>

#include "app/check/demo_manifest.h"
#include "app/check/judge.h"
#include "app/check/metrics.h"
#include "app/report/conditions.h"
#include "app/report/figure.h"
#include "app/report/html_page.h"
#include "app/report/result_charts.h"
#include "app/report/utf8.h"
#include "app/trace/perfetto.h"

namespace p2plab::report {

namespace {

using nlohmann::ordered_json;

std::string word(const ordered_json& json) { return json.is_string() ? json.get<std::string>() : json.dump(); }

/// Whether that knob can have changed anything in the run.
bool says_something(const ordered_json& json, const std::string& demo, const std::string& knob, const std::vector<check::DemoManifest>& demos) {
  const auto manifest = std::find_if(demos.begin(), demos.end(), [&](const auto& each) { return each.id == demo; });
  const check::Knob* known = manifest == demos.end() ? nullptr : manifest->knob(knob);
  if (known == nullptr) return true;
  try {
    return means_something(*known, check::request_from(json), *manifest);
  } catch (const Error&) {  // of another version
    return true;
  }
}

/// The run's own JSON as a saved run; nothing when it is none of ours.
std::optional<SavedRun> of_json(const std::filesystem::path& file, ordered_json json, const std::vector<check::DemoManifest>& demos) {
  if (!json.is_object() || !json.contains("metrics") || !json["metrics"].is_object() || !json.contains("schema")) return std::nullopt;
  SavedRun out;
  out.file = file;
  const auto field = [&](const char* name) { return json.contains(name) && !json[name].is_null() ? word(json[name]) : std::string(); };
  if (json["schema"] == "p2plab.run/1") {
    out.what = field("demo");
    out.simulated = field("backend") == "sim";
    out.conditions = fmt::format("{} · {} · ranks={} · link={} · compute={} · seed={}", out.what, field("backend"), field("ranks"), field("link"), field("compute"), field("seed"));
    out.command = fmt::format("p2plab run {} --backend {} --ranks {} --seed {}", out.what, field("backend"), field("ranks"), field("seed"));
    for (const char* name : {"semantics", "link", "compute"})
      if (const std::string value = field(name); !value.empty()) out.command += fmt::format(" --{} {}", name, value);
    if (json.contains("strict") && json["strict"] == true) {
      out.conditions += " · strict";
      out.command += " --strict";
    }
    if (json.contains("knobs"))
      for (const auto& [knob, value] : json["knobs"].items()) {
        if (!says_something(json, out.what, knob, demos)) continue;
        out.conditions += " · " + knob + "=" + word(value);
        out.command += " --set " + knob + "=" + word(value);
      }
    if (json.contains("machine") && json["machine"].is_object()) {
      const auto& machine = json["machine"];
      if (machine.contains("cores")) out.cores = word(machine["cores"]);
      if (machine.contains("mpi") && machine["mpi"].is_string()) out.mpi = machine["mpi"].get<std::string>();
    }
  } else if (json["schema"] == "p2plab.sim/1") {
    out.what = field("schedule");
    out.simulated = true;
    out.conditions = fmt::format("{} · p {} · m {} · F {} · B {}", out.what, field("p"), field("m"), field("forward_ns") + " ns", field("input_ns") + " ns");
    out.command = fmt::format("p2plab sim {} -p {} -m {} --forward {}ns --backward {}ns", out.what, field("p"), field("m"), field("forward_ns"), field("input_ns"));
    if (json.contains("weight_ns") && json["weight_ns"] != 0) {
      out.conditions += " · W " + field("weight_ns") + " ns";
      out.command += " --weight " + field("weight_ns") + "ns";
    }
    if (json.contains("latency_ns") && json["latency_ns"] != 0) {
      out.conditions += " · α " + field("latency_ns") + " ns";
      out.command += " --latency " + field("latency_ns") + "ns";
    }
  } else {
    return std::nullopt;
  }
  out.json = std::move(json);
  return out;
}

std::optional<SavedRun> of_trace(const std::filesystem::path& file, const std::vector<check::DemoManifest>& demos) {
  const auto trace = trace::open_perfetto(file);
  const auto demo = std::find_if(demos.begin(), demos.end(), [&](const auto& each) { return each.id == trace.run.demo; });
  if (demo == demos.end()) return std::nullopt;
  const auto request = check::request_from(trace.run);
  ordered_json json{{"schema", "p2plab.run/1"}, {"demo", request.demo}, {"backend", request.backend}, {"semantics", request.semantics}, {"strict", request.strict}, {"link", request.link}, {"compute", request.compute},
                    {"ranks", request.ranks}, {"seed", request.seed}, {"knobs", request.knobs}, {"metrics", check::metrics(*demo, request, trace)}};
  return of_json(file, std::move(json), demos);
}

/// What the run measured: as its demo declares it, else what has a text. Curves, tables and shares of a whole are no numbers.
std::vector<std::pair<std::string, std::string>> titles_and_figures(const SavedRun& run, const content::Text& text) {
  std::vector<std::pair<std::string, std::string>> out;
  const ordered_json& metrics = run.json["metrics"];
  for (const check::NumberSpec& number : run.numbers)
    if (const auto found = metrics.find(number.metric); found != metrics.end() && !found->is_null()) {
      const NumberWords words = number_words(number, metrics, text);
      out.emplace_back(words.title, words.value);
    }
  if (!run.numbers.empty()) return out;
  const auto said = [&](const char* field) { return run.json.contains(field) && run.json[field] == "nccl"; };
  for (const auto& [name, value] : metrics.items()) {
    const bool limit = name == "eager_limit_bytes";
    if (value.is_null() || (limit && said("backend"))) continue;  // NCCL has no such limit
    const std::string id = "metric." + (limit && said("semantics") ? "nccl_buffer_bytes" : name);  // under its rules it is a knob
    if (text.has(id)) out.emplace_back(text(id), figure(name, value));
  }
  return out;
}

}  // namespace

std::vector<SavedRun> saved_runs(const std::filesystem::path& dir, const std::filesystem::path& demos) {
  std::vector<content::LeftOut> broken;  // a run of such a demo is none that is known
  std::optional<std::vector<check::DemoManifest>> known;
  const auto manifests = [&]() -> const std::vector<check::DemoManifest>& {  // read when the first run needs them
    if (!known) known = check::load_demos(demos, &broken);
    return *known;
  };
  std::error_code none;
  std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> files;
  for (const auto& entry : std::filesystem::directory_iterator(dir, none))
    if (entry.is_regular_file(none)) files.emplace_back(entry.last_write_time(none), entry.path());
  std::sort(files.begin(), files.end(), std::greater<>());
  std::vector<SavedRun> out;
  for (const auto& [when, file] : files) {
    std::optional<SavedRun> run;
    if (file.extension() == ".json") {
      std::ifstream in(file, std::ios::binary);
      run = of_json(file, ordered_json::parse(in, nullptr, false), manifests());
    } else if (file.extension() == ".pftrace") {
      try {
        run = of_trace(file, manifests());
      } catch (const Error&) {  // not one of ours, or of a version with other knobs
      }
    }
    if (!run) continue;
    for (const auto& demo : manifests())
      if (demo.id == run->what && run->json["schema"] == "p2plab.run/1") run->numbers = demo.results.numbers;
    out.push_back(std::move(*run));
  }
  return out;
}

std::optional<double> number_at(const ordered_json& json, std::string_view path) {
  const ordered_json* at = &json;
  while (!path.empty()) {
    const auto dot = path.find('.');
    const std::string key(path.substr(0, dot));
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    if (at->is_array() && !key.empty() && key.find_first_not_of("0123456789") == std::string::npos && std::stoul(key) < at->size()) at = &(*at)[std::stoul(key)];
    else if (at->is_object() && at->contains(key)) at = &(*at)[key];
    else return std::nullopt;
  }
  if (at->is_object() && at->contains("median")) at = &(*at)["median"];
  if (!at->is_number()) return std::nullopt;
  return at->get<double>();
}

std::string evidence_page(const std::vector<SavedRun>& runs, const std::filesystem::path& folder, const content::Text& text) {
  std::string body = "<h1>" + xml_text(text("evidence.title")) + "</h1>\n<p>" + xml_text(text(runs.empty() ? "evidence.none" : "evidence.about", {{"folder", std::filesystem::absolute(folder).lexically_normal().string()}})) + "</p>\n";
  for (const SavedRun& run : runs) {
    std::string numbers;
    for (const auto& [title, number] : titles_and_figures(run, text)) numbers += "<li><b>" + xml_text(number) + "</b> " + xml_text(title) + "</li>\n";
    if (numbers.empty()) continue;
    std::string machine = run.cores.empty() ? std::string() : text("evidence.cores", {{"n", run.cores}});
    if (!run.mpi.empty()) machine += (machine.empty() ? "" : text("evidence.and")) + run.mpi;
    const std::string on = run.simulated ? text("evidence.virtual") : machine.empty() ? text("evidence.this_machine") : machine;
    body += "<h2>" + xml_text(text(run.simulated ? "evidence.computed" : "evidence.measured", {{"what", run.what}, {"on", on}})) + "</h2>\n<ul>\n" + numbers + "</ul>\n<p class=\"muted\">" +
            xml_text(run.conditions) + "<br><code>" + xml_text(run.command) + "</code></p>\n";
  }
  return html_page(text("evidence.title"), body, text.language());
}

}  // namespace p2plab::report
