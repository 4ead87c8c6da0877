// Reads demo.toml, and refuses what could not work before anything is run.
#include "app/check/demo_manifest.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "app/check/demo_run.h"
#include "app/check/lab_formula.h"
#include "app/content/nearest.h"
#include "app/content/toml_reader.h"
#include "app/trace/control.h"

namespace p2plab::check {

namespace {

using analysis::Verdict;

Verdict read_verdict(const content::TomlReader& reader) {
  const std::string word = reader.text("verdict");
  for (int v = 0; v <= static_cast<int>(Verdict::infra_error); ++v) {
    if (word == analysis::to_string(static_cast<Verdict>(v))) return static_cast<Verdict>(v);
  }
  reader.broken("\"" + word + "\" is not a verdict");
}

Knob::Type read_type(const content::TomlReader& reader) {
  const std::string word = reader.text_or("type", reader.has("choices") ? "choice" : "integer");
  if (word == "choice") return Knob::Type::choice;
  if (word == "integer") return Knob::Type::integer;
  if (word == "bytes") return Knob::Type::bytes;
  if (word == "file") return Knob::Type::file;
  reader.broken("type must be choice, integer, bytes or file");
}

std::int64_t read_amount(const content::TomlReader& reader, std::string_view key, std::int64_t fallback) {
  if (!reader.has(key)) return fallback;
  const auto amount = parse_amount(reader.value(key));
  if (!amount) reader.broken("\"" + std::string(key) + "\" must be a whole number, as in 64, 64K or 1M");
  return *amount;
}

Knob read_knob(const content::TomlReader& reader) {
  reader.only({"id", "type", "unit", "default", "choices", "min", "max", "at_most", "is_rank", "off", "part_of", "when", "format", "title", "help"});
  Knob knob;
  knob.id = reader.text("id");
  knob.type = read_type(reader);
  knob.unit = reader.text_or("unit", knob.type == Knob::Type::bytes ? "bytes" : "");
  if (reader.has("off")) knob.off = reader.value("off");
  knob.part_of = reader.text_or("part_of", "");
  knob.title = reader.bilingual("title");
  knob.help = reader.bilingual("help");
  if (knob.type == Knob::Type::file) {  // none is given
    if (reader.has("default")) reader.broken("a file has no default");
    if (reader.text_or("format", "edges") != "edges") reader.broken("the format of a file is edges");
    knob.holds_edges = reader.has("format");
    return knob;
  }
  knob.default_value = reader.value("default");
  if (knob.type == Knob::Type::choice) {
    knob.choices = reader.texts("choices");
    if (std::find(knob.choices.begin(), knob.choices.end(), knob.default_value) == knob.choices.end()) {
      reader.broken("the default of \"" + knob.id + "\" is not one of its choices");
    }
    return knob;
  }
  knob.minimum = read_amount(reader, "min", 0);
  knob.maximum = read_amount(reader, "max", std::numeric_limits<std::int64_t>::max());
  const std::int64_t value = read_amount(reader, "default", 0);
  if (value < knob.minimum || value > knob.maximum) {
    reader.broken("the default of \"" + knob.id + "\" lies outside min and max");
  }
  knob.default_value = std::to_string(value);
  knob.at_most = reader.text_or("at_most", "");
  knob.is_rank = reader.has("is_rank") && reader.value("is_rank") == "true";
  return knob;
}

/// The [when] of a promise or a refusal.
Conditions read_conditions(const content::TomlReader& reader, const DemoManifest& demo) {
  Conditions when = reader.values("when");
  for (auto& [name, value] : when) {
    if (name == "strict" || name == "above_eager" || name == "whole_rounds") {
      if (value != "true" && value != "false") reader.broken(name + " is true or false");
      continue;
    }
    if (name == "semantics") {
      if (value != "mpi" && value != "nccl") reader.broken("semantics is mpi or nccl");
      continue;
    }
    if (name == "compute") {
      if (value != "paced" && value != "real") reader.broken("compute is paced or real");
      continue;
    }
    if (name == "link") continue;  // the presets are the installation's
    if (name == "backend") {
      for (const std::string& one : alternatives(value))
        if (std::find(demo.backends.begin(), demo.backends.end(), one) == demo.backends.end()) reader.broken("\"" + one + "\" is no backend of this demo");
      continue;
    }
    if (name == "ranks") {
      if (!parse_amount(value)) reader.broken("ranks is a whole number");
      continue;
    }
    const Knob* knob = demo.knob(name);
    if (knob == nullptr) knob = world_knob(name);
    if (knob == nullptr) reader.broken("[when] names \"" + name + "\", which is no knob of this demo");
    if (knob->type == Knob::Type::file) {
      if (!value.empty() && value != "!") reader.broken("of a file only \"\", none is given, and \"!\", one is, can be asked");
      continue;
    }
    if (knob->type != Knob::Type::choice) {
      const std::string_view but = value.starts_with('!') ? "!" : "";
      const auto amount = parse_amount(std::string_view(value).substr(but.size()));
      if (!amount) reader.broken("\"" + value + "\" is no value of \"" + name + "\"");
      value = std::string(but) + std::to_string(*amount);
      continue;
    }
    for (const std::string& one : alternatives(value.starts_with('!') ? value.substr(1) : value))
      if (std::find(knob->choices.begin(), knob->choices.end(), one) == knob->choices.end()) reader.broken("\"" + one + "\" is no choice of \"" + name + "\"");
  }
  return when;
}

Promise read_promise(const content::TomlReader& reader, const DemoManifest& demo) {
  reader.only({"when", "verdict", "says", "only_if_zero"});
  Promise promise{read_conditions(reader, demo), read_verdict(reader), reader.bilingual("says"), reader.text_or("only_if_zero", "")};
  if (!promise.only_if_zero.empty() && std::find(demo.metrics.begin(), demo.metrics.end(), promise.only_if_zero) == demo.metrics.end())
    reader.broken("only_if_zero names no metric of this demo");
  return promise;
}

Expectation read_expected(const content::TomlReader& reader, const DemoManifest& demo) {
  Expectation out = read_expectation(reader);
  out.when = read_conditions(reader, demo);
  return out;
}

Refusal read_refusal(const content::TomlReader& reader, const DemoManifest& demo) {
  reader.only({"when", "text", "knob", "above"});
  Refusal out{reader.has("when") ? read_conditions(reader, demo) : Conditions{}, reader.text("text"), reader.text_or("knob", ""), reader.text_or("above", "")};
  if (out.knob.empty() != out.above.empty()) reader.broken("knob and above stand together");
  if (out.knob.empty()) return out;
  const auto counts = [&](const std::string& name) {
    const Knob* knob = demo.knob(name);
    return knob != nullptr && (knob->type == Knob::Type::integer || knob->type == Knob::Type::bytes);
  };
  if (!counts(out.knob)) reader.broken("\"" + out.knob + "\" is no number among the knobs of this demo");
  try {
    for (const std::string& name : names_in(out.above))
      if (name != "ranks" && !counts(name)) reader.broken("above names \"" + name + "\", which is neither ranks nor a number among the knobs");
  } catch (const std::invalid_argument& error) {
    reader.broken("above: " + std::string(error.what()));
  }
  return out;
}

bool is_a_choice(const DemoManifest& demo, const std::string& word) {
  return std::any_of(demo.knobs.begin(), demo.knobs.end(), [&](const Knob& knob) {
    return std::find(knob.choices.begin(), knob.choices.end(), word) != knob.choices.end();
  });
}

void check_variants(const content::TomlReader& reader, const DemoManifest& demo) {
  for (const auto& [variant, region] : demo.regions) {
    if (!is_a_choice(demo, variant)) reader.broken("[regions] names \"" + variant + "\", which no knob offers");
  }
  for (const auto& [broken, fixed] : demo.fixes) {
    for (const std::string& variant : {broken, fixed}) {
      if (!is_a_choice(demo, variant)) reader.broken("[fixes] names \"" + variant + "\", which no knob offers");
    }
  }
}

}  // namespace

const Knob* DemoManifest::knob(std::string_view knob_id) const {
  const auto found = std::find_if(knobs.begin(), knobs.end(), [&](const Knob& k) { return k.id == knob_id; });
  return found == knobs.end() ? nullptr : &*found;
}

DemoManifest load_demo(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "demo.toml";
  const toml::table table = content::parse_toml(file);
  const content::TomlReader reader(file, table);
  reader.only({"id", "title", "claim", "ranks", "min_ranks", "max_ranks", "sim_max_ranks", "backends", "semantics", "knob", "promise",
               "refuse", "expect", "steps", "derived", "source", "shares", "regions", "fixes", "metrics", "sim_link", "number", "table", "chart", "fit", "word", "picture"});
  DemoManifest demo;
  demo.folder = folder;
  demo.id = reader.text("id");
  if (demo.id != folder.filename().string()) reader.broken("id must be the folder's name");
  demo.title = reader.bilingual("title");
  demo.claim = reader.bilingual("claim");
  demo.ranks = static_cast<int>(reader.number_or("ranks", 2));
  demo.min_ranks = static_cast<int>(reader.number_or("min_ranks", 1));
  demo.max_ranks = static_cast<int>(reader.number_or("max_ranks", 64));
  demo.sim_max_ranks = static_cast<int>(reader.number_or("sim_max_ranks", demo.max_ranks));
  if (demo.sim_max_ranks < demo.max_ranks || demo.sim_max_ranks > trace::kMaxControlledRanks)
    reader.broken("max_ranks <= sim_max_ranks <= " + std::to_string(trace::kMaxControlledRanks) + " does not hold");
  if (demo.min_ranks < 1 || demo.ranks < demo.min_ranks || demo.max_ranks < demo.ranks) {
    reader.broken("1 <= min_ranks <= ranks <= max_ranks does not hold");
  }
  demo.backends = reader.texts("backends");
  demo.semantics = reader.texts("semantics");
  if (demo.backends.empty()) demo.backends = {"host"};
  if (demo.semantics.empty()) demo.semantics = {"mpi"};
  for (const content::TomlReader& entry : reader.tables("knob")) {
    Knob knob = read_knob(entry);
    if (demo.knob(knob.id) != nullptr) entry.broken("knob \"" + knob.id + "\" is defined twice");
    demo.knobs.push_back(std::move(knob));
  }
  for (const Knob& knob : demo.knobs)
    if (!knob.at_most.empty() && demo.knob(knob.at_most) == nullptr) reader.broken("at_most of \"" + knob.id + "\" names no knob of this demo");
  for (const Knob& knob : demo.knobs) {
    const Knob* whole = demo.knob(knob.part_of);
    if (!knob.part_of.empty() && (whole == nullptr || whole->off.empty()))
      reader.broken("part_of of \"" + knob.id + "\" names no knob of this demo that can be off");
  }
  const auto entries = reader.tables("knob");
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (entries[i].has("when")) demo.knobs[i].when = read_conditions(entries[i], demo);
  demo.metrics = reader.texts("metrics");
  for (const content::TomlReader& entry : reader.tables("promise")) demo.promises.push_back(read_promise(entry, demo));
  for (const content::TomlReader& entry : reader.tables("expect")) demo.expectations.push_back(read_expected(entry, demo));
  for (const auto& entry : reader.tables("refuse")) demo.refusals.push_back(read_refusal(entry, demo));
  if (demo.promises.empty()) reader.broken("a demo without a [[promise]] shows nothing");
  demo.source = reader.text("source");
  if (!std::filesystem::exists(folder / demo.source)) reader.broken("source \"" + demo.source + "\" is not there");
  demo.shares = reader.text_or("shares", "");
  if (!demo.shares.empty() && !std::filesystem::exists(folder.parent_path() / demo.shares / "demo.toml")) reader.broken("shares names no demo");
  demo.regions = reader.values("regions");
  demo.fixes = reader.values("fixes");
  check_variants(reader, demo);
  demo.sim_link = reader.text_or("sim_link", "raw");
  demo.results = read_results(reader);
  return demo;
}

std::vector<DemoManifest> load_demos(const std::filesystem::path& demos, std::vector<content::LeftOut>* broken) {
  std::vector<DemoManifest> out;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(demos, failure)) {
    if (!std::filesystem::exists(entry.path() / "demo.toml")) continue;
    content::unless_broken(broken, entry.path().filename().string(), [&] { out.push_back(load_demo(entry.path())); });
  }
  if (broken != nullptr) std::sort(broken->begin(), broken->end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  // The design card's three first, in the order in which they are taught; then by name.
  static constexpr std::array<std::string_view, 3> kFirst{"deadlock", "corruption", "pipeline"};
  const auto place = [](const DemoManifest& demo) { return std::find(kFirst.begin(), kFirst.end(), demo.id) - kFirst.begin(); };
  std::sort(out.begin(), out.end(), [&](const DemoManifest& a, const DemoManifest& b) {
    return std::pair(place(a), a.id) < std::pair(place(b), b.id);
  });
  return out;
}

}  // namespace p2plab::check
