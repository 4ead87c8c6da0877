// Reads lab.toml, and refuses what could not work before anything is run.
#include "app/check/lab_manifest.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "app/check/demo_run.h"
#include "app/check/lab_rules.h"
#include "app/check/unknown.h"
#include "app/content/toml_reader.h"

namespace p2plab::check {

namespace {

using analysis::Verdict;

bool contains(const std::vector<std::string>& list, std::string_view word) { return std::find(list.begin(), list.end(), word) != list.end(); }

Verdict lab_verdict(const content::TomlReader& reader, std::string_view key) {
  const std::string word = reader.text(key);
  for (int v = 0; v <= static_cast<int>(Verdict::infra_error); ++v) {
    if (word == analysis::to_string(static_cast<Verdict>(v))) return static_cast<Verdict>(v);
  }
  reader.broken_at(key, "\"" + word + "\" is not a verdict");
}

std::int64_t amount(const content::TomlReader& reader, std::string_view key, const std::string& text) {
  const auto value = parse_amount(text);
  if (!value) reader.broken_at(key, "\"" + text + "\" must be a whole number, as in 64, 64K or 1M");
  return *value;
}

/// Where a lab's files are looked for.
struct LabFolders {
  std::filesystem::path lab, ours;  ///< its own folder; that of the labs that come with P2P Lab, or empty
};

bool truth_of(const content::TomlReader& reader, std::string_view key, bool fallback) {
  if (!reader.has(key)) return fallback;
  const std::string word = reader.value(key);
  if (word != "true" && word != "false") reader.broken_at(key, "\"" + std::string(key) + "\" is true or false");
  return word == "true";
}

/// A file of the lab, or of a folder beside it ("../common/lab.h"); what is not beside a lab is looked for beside ours.
std::filesystem::path lab_file(const content::TomlReader& reader, std::string_view key, const LabFolders& in, const std::string& name) {
  std::filesystem::path path = (in.lab / name).lexically_normal();
  if (!std::filesystem::exists(path) && !in.ours.empty() && name.starts_with("../")) path = (in.ours / in.lab.filename() / name).lexically_normal();
  if (!std::filesystem::exists(path)) reader.broken_at(key, "\"" + name + "\" is not there");
  return path;
}

LabLimits read_limits(const content::TomlReader& lab, const std::filesystem::path& file) {
  LabLimits limits;
  const toml::table* table = lab.table()["limits"].as_table();
  if (table == nullptr) return limits;
  const content::TomlReader reader(file, *table);
  reader.only({"wall_s", "cpu_s", "memory", "output", "file", "processes"});
  if (reader.has("wall_s")) limits.wall_s = reader.real("wall_s");
  if (reader.has("cpu_s")) limits.cpu_s = reader.real("cpu_s");
  const auto bytes = [&](std::string_view key, std::uint64_t& into) {
    if (reader.has(key)) into = static_cast<std::uint64_t>(amount(reader, key, reader.value(key)));
  };
  bytes("memory", limits.memory_bytes);
  bytes("output", limits.output_bytes);
  bytes("file", limits.file_bytes);
  bytes("processes", limits.processes);
  if (!(limits.wall_s > 0 && limits.wall_s <= 600)) reader.broken_at("wall_s", "wall_s must be above 0 and at most 600");
  return limits;
}

std::optional<trace::Kind> kind_called(std::string_view name) {
  if (name == "forward") return trace::Kind::forward;
  if (name == "backward") return trace::Kind::backward;
  if (name == "weight") return trace::Kind::weight;
  if (name == "compute") return trace::Kind::compute;
  return std::nullopt;
}

LabRun read_run(const content::TomlReader& reader, LabWorld world) {
  reader.only({"id", "ranks", "sizes", "args", "knobs", "lasts", "semantics", "link", "strict", "delays", "access"});
  LabRun run;
  run.id = reader.text("id");
  for (const std::string& text : reader.texts("ranks")) {
    const auto ranks = amount(reader, "ranks", text);
    if (ranks < 1 || ranks > 16) reader.broken_at("ranks", "ranks must be from 1 to 16");
    run.ranks.push_back(static_cast<int>(ranks));
  }
  if (run.ranks.empty()) reader.broken_at("ranks", "\"ranks\" must list at least one number of ranks");
  for (const std::string& text : reader.texts("sizes")) run.sizes.push_back(amount(reader, "sizes", text));
  run.arguments = reader.texts("args");
  run.knobs = reader.values("knobs");
  if (world == LabWorld::sim && !run.arguments.empty()) reader.broken_at("args", "a program on the virtual clock is given knobs, not args");
  if (world == LabWorld::mpi && !run.knobs.empty()) reader.broken_at("knobs", "an MPI program is given args, not knobs");
  for (const auto& [name, time] : reader.values("lasts")) {
    const auto kind = kind_called(name);
    if (!kind) reader.broken_at("lasts", "\"lasts\" names forward, backward, weight or compute, not \"" + name + "\"");
    run.lasts[*kind] = time;
  }
  if (world == LabWorld::mpi && !run.lasts.empty()) reader.broken_at("lasts", "only on the virtual clock does a computation last what a lab says");
  run.semantics = reader.text_or("semantics", "mpi");
  if (run.semantics != "mpi" && run.semantics != "nccl") reader.broken_at("semantics", "semantics is mpi or nccl");
  run.link = reader.text_or("link", "raw");
  run.strict = truth_of(reader, "strict", world == LabWorld::mpi);
  run.delays = static_cast<int>(reader.number_or("delays", world == LabWorld::mpi ? 3 : 0));
  if (run.delays < 0 || run.delays > 16) reader.broken_at("delays", "delays must be from 0 to 16");
  run.access = truth_of(reader, "access", false);
  return run;
}

LabCheck read_check(const content::TomlReader& reader, const LabManifest& lab) {
  reader.only({"id", "title", "rule", "with", "weight", "hidden", "depends", "runs", "look"});
  LabCheck check;
  check.id = reader.text("id");
  if (contains(lab_gates(), check.id)) reader.broken_at("id", "\"" + check.id + "\" is the name of a gate, so a check cannot bear it");
  if (lab.check(check.id) != nullptr) reader.broken_at("id", "check \"" + check.id + "\" is defined twice");
  check.title = reader.bilingual("title");
  check.rule = reader.text("rule");
  check.with = reader.values("with");
  const LabRule* rule = find_lab_rule(check.rule);
  if (rule == nullptr) reader.broken_at("rule", "there is no rule \"" + check.rule + "\"; known are " + content::join(lab_rule_names()));
  if (const std::string wrong = wrong_parameters(*rule, check.with); !wrong.empty()) reader.broken_at("with", wrong);
  if (reader.has("weight")) check.weight = reader.real("weight");
  if (!(check.weight >= 0)) reader.broken_at("weight", "a weight cannot be negative");
  check.hidden = truth_of(reader, "hidden", false);
  check.depends = reader.texts("depends");
  for (const std::string& other : check.depends) {
    if (lab.check(other) == nullptr) reader.broken_at("depends", "\"" + check.id + "\" depends on \"" + other + "\", which is no check before it");
  }
  check.runs = reader.texts("runs");
  for (const std::string& run : check.runs) {
    if (lab.run(run) == nullptr) reader.broken_at("runs", "there is no [[run]] \"" + run + "\"");
  }
  if (reader.has("look")) check.look = reader.bilingual("look");
  return check;
}

void require_check(const content::TomlReader& reader, const LabManifest& lab, const std::string& id) {
  if (lab.check(id) == nullptr && !contains(lab_gates(), id)) reader.broken_at("fails", "\"" + id + "\" is neither a check of this lab nor a gate (" + content::join(lab_gates()) + ")");
}

LabMutant read_mutant(const content::TomlReader& reader, const LabManifest& lab, const LabFolders& in) {
  reader.only({"file", "verdict", "fails"});
  LabMutant mutant;
  mutant.file = lab_file(reader, "file", in, reader.text("file"));
  mutant.verdict = lab_verdict(reader, "verdict");
  mutant.fails = reader.text("fails");
  require_check(reader, lab, mutant.fails);
  return mutant;
}

LabValues read_values(const content::TomlReader& lab, const std::filesystem::path& file) {
  LabValues values;
  const toml::table* table = lab.table()["values"].as_table();
  if (table == nullptr) return values;
  const content::TomlReader reader(file, *table);
  for (const auto& [name, node] : *table) {
    if (!node.is_number()) reader.broken("\"" + std::string(name.str()) + "\" must be a number", &node);
    values[std::string(name.str())] = *node.value<double>();
  }
  return values;
}

/// Rung by rung: question, where to look, principle, skeleton.
std::vector<content::Twin> read_twins(const content::TomlReader& lab, std::string_view key) {
  std::vector<content::Twin> out;
  for (const content::TomlReader& entry : lab.tables(key)) {
    entry.only({"en", "zh"});
    out.push_back({entry.text("en"), entry.text("zh")});
  }
  return out;
}

/// A misspelt name in a formula is found before a learner meets it.
void try_formula(const content::TomlReader& reader, const LabManifest& lab, const std::string& key, const toml::node& node, const std::string& text) {
  try {
    for (const std::string& used : names_in(text)) {
      const bool known = used == "p" || used == "n" || used == "rank" || lab.values.contains(used) ||
                         std::any_of(lab.runs.begin(), lab.runs.end(), [&](const LabRun& run) { return run.knobs.contains(used); });
      if (!known) reader.broken(key + ": nothing is called \"" + used + "\" in \"" + text + "\"", &node);
    }
  } catch (const std::invalid_argument& wrong) {
    reader.broken(key + ": " + wrong.what(), &node);
  }
}

void try_formulas(const content::TomlReader& reader, const LabManifest& lab) {
  const auto in = [&](const content::TomlReader& entry, const char* table, const auto& is_one) {
    for (const auto& [name, text] : entry.values(table))
      if (is_one(name)) try_formula(entry, lab, name, *entry.table()[table].as_table()->get(name), text);
  };
  for (const content::TomlReader& entry : reader.tables("check"))
    in(entry, "with", [rule = find_lab_rule(entry.text("rule"))](const std::string& name) { return is_formula(*rule, name); });
  for (const content::TomlReader& entry : reader.tables("run")) in(entry, "lasts", [](const std::string&) { return true; });
}

}  // namespace

const std::vector<std::string>& lab_gates() {
  static const std::vector<std::string> kGates = {"files", "build", "finish", "trace", "leaks", "buffers", "calls"};
  return kGates;
}

const LabRun* LabManifest::run(std::string_view run_id) const {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const LabRun& run) { return run.id == run_id; });
  return found == runs.end() ? nullptr : &*found;
}

const LabCheck* LabManifest::check(std::string_view check_id) const {
  const auto found = std::find_if(checks.begin(), checks.end(), [&](const LabCheck& check) { return check.id == check_id; });
  return found == checks.end() ? nullptr : &*found;
}

LabManifest load_lab(const std::filesystem::path& folder_given, const std::filesystem::path& ours) {
  std::filesystem::path folder = std::filesystem::absolute(folder_given).lexically_normal();
  if (folder.filename().empty()) folder = folder.parent_path();
  const std::filesystem::path file = folder / "lab.toml";
  const toml::table table = content::parse_toml(file);
  const LabFolders in{folder, ours};
  const content::TomlReader reader(file, table);
  reader.only({"version", "id", "title", "summary", "requires", "world", "file", "given", "reference", "forbidden", "required", "limits", "values",
               "run", "check", "hint", "starter", "mutant", "why", "point", "links", "advice"});
  if (const auto version = reader.number_or("version", 0); version != kLabVersion) {
    reader.broken_at("version", "version must be " + std::to_string(kLabVersion) + "; a newer lab.toml needs a newer P2P Lab");
  }
  LabManifest lab;
  lab.folder = folder;
  lab.id = reader.text("id");
  if (lab.id != folder.filename().string()) reader.broken_at("id", "id must be the folder's name");
  lab.title = reader.bilingual("title");
  lab.summary = reader.bilingual("summary");
  lab.requires_labs = reader.texts("requires");
  const std::string world = reader.text("world");
  if (world != "mpi" && world != "sim") reader.broken_at("world", "world is mpi or sim");
  lab.world = world == "sim" ? LabWorld::sim : LabWorld::mpi;
  lab.file = reader.text("file");
  if (std::filesystem::path(lab.file).filename().string() != lab.file || !lab.file.ends_with(".cpp")) reader.broken_at("file", "file must be the name of a .cpp file");
  for (const std::string& name : reader.texts("given")) lab.given.push_back(lab_file(reader, "given", in, name));
  if (reader.has("reference")) lab.reference = lab_file(reader, "reference", in, reader.text("reference"));
  lab.forbidden = reader.texts("forbidden");
  lab.required = reader.texts("required");
  if (reader.has("links")) lab.links = lab_file(reader, "links", in, reader.text("links"));
  if (reader.has("advice")) lab.advice = reader.real("advice");
  if (lab.advice < 0 || (lab.advice > 0 && lab.world == LabWorld::mpi)) reader.broken_at("advice", "advice is a share above 0, and of labs on the virtual clock");
  lab.limits = read_limits(reader, file);
  lab.values = read_values(reader, file);
  for (const content::TomlReader& entry : reader.tables("run")) {
    LabRun run = read_run(entry, lab.world);
    if (lab.run(run.id) != nullptr) entry.broken_at("id", "run \"" + run.id + "\" is defined twice");
    lab.runs.push_back(std::move(run));
  }
  if (lab.runs.empty()) reader.broken("a lab without a [[run]] cannot be checked");
  for (const content::TomlReader& entry : reader.tables("check")) lab.checks.push_back(read_check(entry, lab));
  if (lab.checks.empty()) reader.broken("a lab without a [[check]] proves nothing");
  lab.hints = read_twins(reader, "hint");
  if (lab.hints.size() != 4) reader.broken_at("hint", "a lab has four hints: a question, where to look, the principle, a skeleton");
  const toml::table* starter = table["starter"].as_table();
  if (starter == nullptr) reader.broken("[starter] must say how the starter fails");
  const content::TomlReader starter_reader(file, *starter);
  starter_reader.only({"verdict", "fails"});
  lab.starter = lab_verdict(starter_reader, "verdict");
  lab.starter_fails = starter_reader.text("fails");
  require_check(starter_reader, lab, lab.starter_fails);
  for (const content::TomlReader& entry : reader.tables("mutant")) lab.mutants.push_back(read_mutant(entry, lab, in));
  lab.why = reader.bilingual("why");
  lab.points = read_twins(reader, "point");
  if (lab.points.empty()) reader.broken("the question \"why\" needs at least one [[point]]");
  for (const char* name : {"starter.cpp", "solution.cpp", "task.en.md", "task.zh.md"}) lab_file(reader, "", in, name);
  try_formulas(reader, lab);
  return lab;
}

std::filesystem::path labs_directory(const std::filesystem::path& share, const std::string& chosen) {
  std::filesystem::path labs = share / "labs";
  if (const char* set = std::getenv("P2PLAB_LABS"); set != nullptr && *set != '\0') labs = set;
  if (!chosen.empty()) labs = chosen;
  if (!std::filesystem::is_directory(labs)) throw Error("lab.no_labs", {{"path", labs.string()}});
  return labs;
}

std::vector<LabManifest> load_labs(const std::filesystem::path& labs, std::vector<BrokenLab>* broken, const std::filesystem::path& ours) {
  std::vector<LabManifest> out;
  for (const auto& entry : std::filesystem::directory_iterator(labs)) {
    if (!std::filesystem::exists(entry.path() / "lab.toml")) continue;
    try {
      out.push_back(load_lab(entry.path(), ours));
    } catch (const Error& error) {
      if (broken == nullptr) throw;
      broken->push_back({entry.path().filename().string(), error.text()});
    }
  }
  if (broken != nullptr) std::sort(broken->begin(), broken->end(), [](const BrokenLab& a, const BrokenLab& b) { return a.id < b.id; });
  std::sort(out.begin(), out.end(), [](const LabManifest& a, const LabManifest& b) { return a.id < b.id; });
  return out;
}

bool is_called(const std::string& id, const std::string& word) {
  const auto number = [](const std::string& id) { return id.substr(0, id.find('-')); };
  const auto same_number = [](std::string a, std::string b) {
    a.erase(0, std::min(a.find_first_not_of('0'), a.size()));
    b.erase(0, std::min(b.find_first_not_of('0'), b.size()));
    return !a.empty() && a == b && std::all_of(a.begin(), a.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  const auto dash = id.find('-');
  return word == id || same_number(word, number(id)) || (dash != std::string::npos && word == id.substr(dash + 1));
}

const LabManifest& find_lab(const std::vector<LabManifest>& labs, const std::string& word) {
  for (const LabManifest& lab : labs)
    if (is_called(lab.id, word)) return lab;
  std::vector<std::string> known;
  for (const LabManifest& lab : labs) known.push_back(lab.id);
  throw unknown("lab.unknown", word, known);
}

}  // namespace p2plab::check
