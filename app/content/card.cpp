// Reads assets/drill.
#include "app/content/card.h"

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>

#include "app/content/toml_reader.h"
#include "app/content/nearest.h"
#include "app/content/stepper.h"

namespace p2plab::content {

namespace {

constexpr std::array<std::string_view, kCardKinds> kKinds{"pitch",    "follow-up", "pitfall", "true-false", "predict",
                                                         "spot-bug", "cause-bug", "order",   "resume"};

CardKind parse_kind(const TomlReader& reader) {
  const std::string word = reader.text("kind");
  const auto found = std::find(kKinds.begin(), kKinds.end(), word);
  if (found == kKinds.end()) reader.broken("unknown kind \"" + word + "\"");
  return static_cast<CardKind>(found - kKinds.begin());
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

/// "demo:deadlock variant=ordered": kind, target, arguments.
Evidence evidence_of(const TomlReader& reader, const std::string& text) {
  const auto words = words_of(text);
  const auto colon = words.empty() ? std::string::npos : words.front().find(':');
  if (colon == std::string::npos) reader.broken("evidence \"" + text + "\" is not KIND:TARGET");
  Evidence out{words.front().substr(0, colon), words.front().substr(colon + 1), {words.begin() + 1, words.end()}};
  const std::array<std::string_view, 5> kinds{"demo", "sim", "claim", "lab", "lesson"};
  if (std::find(kinds.begin(), kinds.end(), out.kind) == kinds.end() || out.target.empty()) reader.broken("evidence \"" + text + "\" is none of demo, sim, claim, lab, lesson");
  return out;
}

Prediction prediction_of(const TomlReader& reader) {
  reader.only({"value", "tolerance", "unit", "command", "metric", "scale", "formula", "given"});
  Prediction out;
  out.value = reader.real("value");
  out.tolerance = reader.real_or("tolerance", 0.01);
  out.unit = reader.text_or("unit", "");
  out.command = words_of(reader.text_or("command", ""));
  out.metric = reader.text_or("metric", "");
  out.scale = reader.real_or("scale", 1);
  out.formula = reader.text_or("formula", "");
  if (const auto* given = reader.table()["given"].as_table())
    for (const auto& [name, node] : *given) {
      if (!node.is_number()) reader.broken("\"given\" holds numbers", &node);
      out.given[std::string(name.str())] = *node.value<double>();
    }
  if (out.value == 0) reader.broken("a number to predict is not 0: its error is a share of it");
  if (out.command.empty() == out.formula.empty()) reader.broken("a prediction has a command or a formula");
  if (!out.command.empty() && out.metric.empty()) reader.broken("\"metric\" says where in its JSON the number stands");
  return out;
}

Candidate candidate_of(const TomlReader& reader) {
  const std::string word = reader.text_or("candidate", "any");
  constexpr std::array<std::string_view, 4> names{"any", "project", "single-gpu", "graduate"};
  const auto found = std::find(names.begin(), names.end(), word);
  if (found == names.end()) reader.broken("\"candidate\" is any, project, single-gpu or graduate");
  return static_cast<Candidate>(found - names.begin());
}

/// What only cards of some kinds have must be there for them and for no others.
void require_fields(const TomlReader& reader, CardKind kind) {
  struct Field {
    std::string_view name;
    CardKind kind;
  };
  constexpr std::array<Field, 12> fields{{{"two_minutes", CardKind::pitch}, {"five_minutes", CardKind::pitch}, {"holds", CardKind::true_false}, {"predict", CardKind::predict},
                                          {"code", CardKind::spot_bug}, {"line", CardKind::spot_bug}, {"ranks", CardKind::cause_bug}, {"slots", CardKind::cause_bug},
                                          {"steps", CardKind::order}, {"sentence", CardKind::resume}, {"blanks", CardKind::resume}, {"candidate", CardKind::resume}}};
  for (const Field& field : fields) {
    if (reader.has(field.name) == (field.kind == kind)) continue;
    reader.broken(reader.has(field.name) ? "\"" + std::string(field.name) + "\" belongs to a card of kind " + std::string(to_string(field.kind))
                                         : "\"" + std::string(field.name) + "\" is missing");
  }
}

Card card_of(const TomlReader& reader, const std::string& topic) {
  reader.only({"id", "kind", "sentences", "sections", "family", "question", "answer", "says", "points", "fatal", "evidence", "source", "two_minutes", "five_minutes",
               "holds", "predict", "code", "line", "ranks", "slots", "steps", "candidate", "sentence", "blanks"});
  Card out;
  out.id = reader.text("id");
  out.topic = topic;
  out.kind = parse_kind(reader);
  require_fields(reader, out.kind);
  out.sentences = reader.numbers("sentences");
  out.sections = reader.numbers("sections");
  out.family = reader.text_or("family", "");
  out.question = reader.twin("question");
  out.answer = reader.twin("answer");
  out.says = reader.twin("says", false);
  out.source = reader.text("source");
  for (const auto& each : reader.tables("points")) {
    each.only({"en", "zh", "weight", "ask"});
    out.points.push_back({each.twin_here(), each.number("weight", 1, 1, 5), each.text_or("ask", "")});
  }
  if (out.points.size() < 2) reader.broken("a card has at least two points");
  for (const auto& each : reader.tables("fatal")) {
    each.only({"en", "zh"});
    out.fatal.push_back(each.twin_here());
  }
  for (const auto& each : reader.texts("evidence")) out.evidence.push_back(evidence_of(reader, each));
  if (out.evidence.empty()) reader.broken("a card names its evidence");
  out.two_minutes = reader.twin("two_minutes", false);
  out.five_minutes = reader.twin("five_minutes", false);
  if (out.kind == CardKind::true_false) out.holds = reader.truth("holds");
  if (const auto* predict = reader.table()["predict"].as_table()) {
    try {
      out.prediction = prediction_of(TomlReader(reader.file(), *predict));
    } catch (const Error& error) {
      reader.broken(error.text().params.back().second, predict);
    }
  }
  out.code = reader.text_or("code", "");
  out.line = reader.number("line", 0, 1, 99);
  if (out.line > std::count(out.code.begin(), out.code.end(), '\n')) reader.broken("\"line\" is not a line of the code");
  out.ranks = reader.texts("ranks");
  out.slots = reader.number("slots", 0, 0, 9);
  if (out.kind == CardKind::cause_bug) {
    try {
      const Stepper check(out.ranks, out.slots);
    } catch (const std::invalid_argument& error) {
      reader.broken(error.what());
    }
  }
  for (const auto& each : reader.tables("steps")) out.steps.push_back(each.twin_here());
  if (out.kind == CardKind::order && (out.steps.size() < 3 || out.steps.size() > 9)) reader.broken("3 to 9 steps can be put in order");
  out.candidate = candidate_of(reader);
  out.sentence = reader.twin("sentence", false);
  for (const auto& each : reader.tables("blanks")) {
    each.only({"name", "en", "zh", "metric"});
    out.blanks.push_back({each.text("name"), each.twin_here(), each.text_or("metric", "")});
    if (out.sentence.en.find("{" + out.blanks.back().name + "}") == std::string::npos) reader.broken("the template has no {" + out.blanks.back().name + "}");
  }
  return out;
}

}  // namespace

std::string_view to_string(CardKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::vector<std::string> Evidence::command() const {
  std::vector<std::string> out;
  if (kind == "demo") {
    out = {"run", target};
    for (const std::string& each : arguments) {
      if (!each.starts_with("-") && each.find('=') != std::string::npos) out.push_back("--set");
      out.push_back(each);
    }
    return out;
  }
  if (kind == "sim") out = {"sim", target};
  if (kind == "claim") out = {"claim", "run", target};
  if (kind == "lab") out = {"start", target};
  if (kind == "lesson") out = {"lesson", target};
  out.insert(out.end(), arguments.begin(), arguments.end());
  return out;
}

int Card::weight() const {
  int sum = 0;
  for (const KeyPoint& point : points) sum += point.weight;
  return sum;
}

int Card::seconds() const {
  switch (kind) {
    case CardKind::pitch: case CardKind::true_false: case CardKind::pitfall: case CardKind::resume: return 30;
    case CardKind::spot_bug: case CardKind::cause_bug: return 300;
    case CardKind::follow_up: case CardKind::predict: case CardKind::order: return 120;
  }
  return 120;
}

Cards::Cards(const std::filesystem::path& dir, std::vector<LeftOut>* broken) {
  std::map<std::string, std::filesystem::path> asked;
  for (const auto& file : toml_files(dir))
    unless_broken(broken, file.stem().string(), [&] {
      const toml::table root = parse_toml(file);
      const TomlReader reader(file, root);
      reader.only({"title", "weight", "card"});
      Topic topic{file.stem().string(), reader.twin("title"), reader.number("weight", 1, 0, 9)};
      const auto all = reader.tables("card");
      topics_.push_back(std::move(topic));
      for (const auto& each : all)
        unless_broken(broken, each.id(), [&] {
          Card card = card_of(each, topics_.back().id);
          if (find(card.id) != nullptr) each.broken("there is another card of this id");
          for (const KeyPoint& point : card.points)
            if (!point.ask.empty()) asked.emplace(point.ask, file);
          cards_.push_back(std::move(card));
        });
    });
  const bool whole = broken == nullptr || broken->empty();
  for (const auto& [id, file] : asked) {
    if (find(id) != nullptr) continue;
    if (whole) unless_broken(broken, id, [&] { throw Error("manifest.broken", {{"file", file.string()}, {"line", "1"}, {"what", "follow-up \"" + id + "\" is no card"}}); });
    for (Card& card : cards_)  // asked no more, whether it is the one that is broken or none at all
      for (KeyPoint& point : card.points)
        if (point.ask == id) point.ask.clear();
  }
}

const Card* Cards::find(std::string_view id) const {
  const auto found = std::find_if(cards_.begin(), cards_.end(), [&](const Card& each) { return each.id == id; });
  return found == cards_.end() ? nullptr : &*found;
}

const Topic* Cards::topic(std::string_view id) const {
  const auto found = std::find_if(topics_.begin(), topics_.end(), [&](const Topic& each) { return each.id == id; });
  return found == topics_.end() ? nullptr : &*found;
}

}  // namespace p2plab::content
