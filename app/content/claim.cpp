// Reads assets/claims.
#include "app/content/claim.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "app/content/toml_reader.h"
#include "app/content/live_block.h"
#include "app/content/nearest.h"
#include "app/trace/error.h"

namespace p2plab::content {

namespace {

constexpr std::array<std::string_view, 4> kVerdicts{"holds", "holds-when", "misleading", "false"};
constexpr std::array<std::string_view, 4> kOutcomes{"confirmed", "refuted", "documented", "not-shown-here"};
constexpr std::array<std::string_view, 3> kSpeakers{"card", "misconception", "circulating"};
constexpr std::array<std::string_view, 6> kRelations{"<", "<=", ">", ">=", "=", "!="};
constexpr std::array<std::string_view, 8> kUnits{"ms", "us", "%", "times", "bytes", "GB/s", "count", "word"};

template <std::size_t N>
std::size_t one_of(const TomlReader& reader, std::string_view key, const std::string& word, const std::array<std::string_view, N>& legal) {
  const auto found = std::find(legal.begin(), legal.end(), word);
  if (found != legal.end()) return static_cast<std::size_t>(found - legal.begin());
  const std::vector<std::string> known(legal.begin(), legal.end());
  reader.broken("\"" + std::string(key) + "\" is \"" + word + "\", but may be " + join(known));
}

std::vector<std::string> run_words(const TomlReader& reader, const std::string& text) {
  auto out = command_words(text);
  if (out.size() < 2 || (out[0] != "run" && out[0] != "sim")) reader.broken("an experiment is `run DEMO …` or `sim SCHEDULE …`, not \"" + text + "\"");
  for (const std::string& word : out)
    if (word == "--backend" || word == "--seed" || word == "--json") reader.broken(word + " is given by whoever runs the claim");
  return out;
}

ClaimPrediction prediction_in(const TomlReader& reader, ClaimPrediction before) {
  before.tolerance = reader.real_or("tolerance", before.tolerance);
  if (!reader.has("predicts")) return before;
  const std::string text = reader.text("predicts");
  const auto blank = text.find(' ');
  before.relation = text.substr(0, blank);
  one_of(reader, "predicts", before.relation, kRelations);
  if (blank == std::string::npos) reader.broken("\"predicts\" is a relation and a value, such as \"< 1\"");
  const std::string value = text.substr(blank + 1);
  const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), before.value);
  before.word.clear();
  if (error == std::errc{} && rest == value.data() + value.size()) return before;
  before.word = value;
  if (before.relation != "=" && before.relation != "!=") reader.broken("\"" + value + "\" is no number: of words only = and != can be said");
  return before;
}

/// A table inside the claim; errors in it name its own line.
TomlReader inner(const TomlReader& reader, std::string_view key) {
  const auto* table = reader.table()[key].as_table();
  if (table == nullptr) reader.broken("\"" + std::string(key) + "\" must be a table");
  return {reader.file(), *table};
}

/// What is not given is as in `before`.
ClaimNumber number_in(const TomlReader& reader, ClaimNumber before) {
  if (reader.has("metric")) {
    before.metric = reader.text("metric");
    before.over = before.minus = "";
  }
  before.over = reader.text_or("over", before.over);
  before.minus = reader.text_or("minus", before.minus);
  before.unit = reader.text_or("unit", before.unit);
  if (before.metric.empty()) reader.broken("\"metric\" says where in the JSON the number stands");
  if (!before.over.empty() && !before.minus.empty()) reader.broken("\"over\" and \"minus\" exclude each other");
  one_of(reader, "unit", before.unit, kUnits);
  return before;
}

/// "{number}" and the like: every name in `text` is in `known`, and "number" is among them.
void require_blanks(const TomlReader& reader, const std::string& text, const std::map<std::string, ClaimNumber>& known) {
  if (text.find("{number}") == std::string::npos) reader.broken("\"shows\" has no {number}");
  for (std::size_t at = 0; (at = text.find('{', at)) != std::string::npos; ++at) {
    const std::string name = text.substr(at + 1, text.find('}', at) - at - 1);
    if (name != "number" && !known.contains(name)) reader.broken("\"shows\" has {" + name + "}, which \"also\" does not give");
  }
  for (const auto& [name, number] : known)
    if (text.find("{" + name + "}") == std::string::npos) reader.broken("\"also\" gives " + name + ", which \"shows\" does not quote");
}

/// What is not given is as in `before`.
Experiment experiment_in(const TomlReader& reader, Experiment before) {
  reader.only({"run", "metric", "over", "minus", "unit", "also", "predicts", "tolerance", "says", "shows"});
  if (const auto* run = reader.table().get("run")) {
    before.runs.clear();
    if (run->is_string()) before.runs.push_back(run_words(reader, reader.text("run")));
    else for (const auto& each : reader.texts("run")) before.runs.push_back(run_words(reader, each));
  }
  if (before.runs.empty() || before.runs.size() > 2) reader.broken("\"run\" holds one command or two");
  static_cast<ClaimNumber&>(before) = number_in(reader, before);
  before.also.clear();
  if (reader.has("also"))
    for (const auto& [name, each] : inner(reader, "also").table()) {
      const TomlReader number = inner(inner(reader, "also"), name.str());
      number.only({"metric", "over", "minus", "unit"});
      before.also[std::string(name.str())] = number_in(number, {"", "", "", before.unit});
    }
  before.predicts = prediction_in(reader, before.predicts);
  before.says = reader.twin("says", false);
  before.shows = reader.twin("shows");
  if (before.runs.size() == 2 && before.over.empty() && before.minus.empty()) reader.broken("two runs need \"over\" or \"minus\" to make one number");
  if (before.predicts.relation.empty()) reader.broken("\"predicts\" is missing");
  if ((before.unit == "word") == before.predicts.word.empty()) reader.broken("the unit \"word\" belongs to a prediction of a word");
  require_blanks(reader, before.shows.en, before.also);
  return before;
}

/// What is run: the demo or schedule, with what was chosen by name ("variant=send-first"). Numbers, links, semantics and
/// --strict are settings of it.
std::set<std::string> programs_of(const Experiment& experiment) {
  std::set<std::string> out;
  for (const auto& words : experiment.runs) {
    std::string program = words[0] + " " + words[1];
    for (std::size_t i = 2; i + 1 < words.size(); ++i) {
      const auto equals = words[i + 1].find('=');
      if (words[i] == "--set" && equals != std::string::npos && words[i + 1].find_first_not_of("0123456789", equals + 1) != std::string::npos) program += " " + words[i + 1];
    }
    out.insert(program);
  }
  return out;
}

/// The demos or schedules alone.
std::set<std::string> names_of(const Experiment& experiment) {
  std::set<std::string> out;
  for (const auto& words : experiment.runs) out.insert(words[0] + " " + words[1]);
  return out;
}

/// Without `says` a counter-setting speaks of the claim: then it is the claim's own number, of the same programs. Of what holds
/// when …, another variant of the same demo may be where the condition is broken, if the prediction is the claim's to the letter.
void require_same_sentence(const TomlReader& reader, ClaimVerdict verdict, const Experiment& own, const Experiment& counter) {
  if (!counter.says.empty()) {
    if (!reader.has("predicts")) reader.broken("a sentence of its own (\"says\") needs \"predicts\" of its own");
    return;
  }
  const bool same_number = counter.metric == own.metric && counter.over == own.over && counter.minus == own.minus && counter.unit == own.unit;
  const bool condition = verdict == ClaimVerdict::holds_when && !reader.has("predicts") && names_of(counter) == names_of(own);
  if (!same_number || counter.predicts.relation != own.predicts.relation || (programs_of(counter) != programs_of(own) && !condition))
    reader.broken("this counter-setting looks at another number or runs something else; give it \"says\", the sentence that it decides, and \"predicts\"");
  if (counter.runs == own.runs) reader.broken("this counter-setting is the experiment itself");
}

Claim claim_in(const TomlReader& reader, const std::string& topic) {
  reader.only({"id", "sentences", "sections", "who", "claim", "verdict", "why", "better", "sources", "host", "awaits", "experiment", "counter"});
  Claim out;
  out.id = reader.text("id");
  out.topic = topic;
  out.sentences = reader.numbers("sentences");
  out.sections = reader.numbers("sections");
  out.who = reader.text("who");
  one_of(reader, "who", out.who, kSpeakers);
  if ((out.who == "card") == out.sections.empty()) reader.broken("\"sections\" belongs to what the card says, and to nothing else");
  out.claim = reader.twin("claim");
  out.verdict = static_cast<ClaimVerdict>(one_of(reader, "verdict", reader.text("verdict"), kVerdicts));
  out.why = reader.twin("why");
  out.better = reader.twin("better");
  out.sources = reader.texts("sources");
  out.host = reader.has("host") && reader.truth("host");
  out.awaits = reader.text_or("awaits", "");
  if (!out.awaits.empty() && reader.has("experiment")) reader.broken("\"awaits\" and \"experiment\" exclude each other");
  if (reader.has("experiment") != reader.has("counter")) reader.broken("an experiment has a counter-setting, and the other way round");
  if (reader.has("experiment")) {
    out.experiment = experiment_in(inner(reader, "experiment"), {});
    out.counter = experiment_in(inner(reader, "counter"), *out.experiment);
    if (!out.experiment->says.empty()) reader.broken("\"says\" belongs to a counter-setting: the experiment's sentence is the claim");
    require_same_sentence(inner(reader, "counter"), out.verdict, *out.experiment, *out.counter);
  } else if (out.sources.empty()) {
    reader.broken("without an experiment a claim needs a source");
  }
  return out;
}

}  // namespace

std::string_view to_string(ClaimVerdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }
std::string_view to_string(ClaimOutcome outcome) { return kOutcomes[static_cast<std::size_t>(outcome)]; }

bool ClaimPrediction::right(double number) const {
  if (relation == "<") return number < value;
  if (relation == "<=") return number <= value;
  if (relation == ">") return number > value;
  if (relation == ">=") return number >= value;
  const bool equal = std::fabs(number - value) <= tolerance * (value == 0 ? 1 : std::fabs(value));
  return equal == (relation == "=");
}

bool ClaimPrediction::right(std::string_view said) const { return (said == word) == (relation == "="); }

ClaimOutcome Claim::declared() const {
  if (!experiment) return awaits.empty() ? ClaimOutcome::documented : ClaimOutcome::not_shown_here;
  return verdict == ClaimVerdict::holds || verdict == ClaimVerdict::holds_when ? ClaimOutcome::confirmed : ClaimOutcome::refuted;
}

Claims::Claims(const std::filesystem::path& dir, std::vector<LeftOut>* broken) {
  for (const auto& file : toml_files(dir))
    unless_broken(broken, file.stem().string(), [&] {
      const toml::table root = parse_toml(file);
      const TomlReader reader(file, root);
      reader.only({"title", "claim"});
      ClaimTopic topic{file.stem().string(), reader.twin("title")};
      const auto all = reader.tables("claim");
      topics_.push_back(std::move(topic));
      for (const auto& each : all)
        unless_broken(broken, each.id(), [&] {
          Claim claim = claim_in(each, topics_.back().id);
          if (std::any_of(claims_.begin(), claims_.end(), [&](const Claim& other) { return other.id == claim.id; })) each.broken("there is another claim of this id");
          claims_.push_back(std::move(claim));
        });
    });
}

const Claim& Claims::at(std::string_view id) const {
  std::vector<std::string> known;
  for (const Claim& claim : claims_) {
    if (claim.id == id) return claim;
    known.push_back(claim.id);
  }
  const std::string meant = nearest(id, known);
  throw Error(meant.empty() ? "claim.unknown_far" : "claim.unknown", {{"value", std::string(id)}, {"nearest", meant}});
}

}  // namespace p2plab::content
