// See live_block.h.
#include "app/content/live_block.h"

#include <toml++/toml.h>

#include <algorithm>
#include <initializer_list>

#include "app/content/nearest.h"
#include "app/trace/error.h"

namespace p2plab::content {
namespace {

struct LiveWord {
  std::string_view word;
  Live::Kind kind;
};
constexpr LiveWord kLiveWords[] = {{"demo", Live::Kind::demo}, {"claim", Live::Kind::claim}, {"sim", Live::Kind::sim}, {"quiz", Live::Kind::quiz}};

/// The table of one live block; says where and what whenever something is wrong.
class LiveFields {
 public:
  LiveFields(const std::string& toml, std::filesystem::path file, int line) : file_(std::move(file)), line_(line) {
    try {
      table_ = toml::parse(toml);
    } catch (const toml::parse_error& error) {
      line_ += static_cast<int>(error.source().begin.line) - 1;
      broken(std::string(error.description()));
    }
  }
  [[noreturn]] void broken(const std::string& what) const {
    throw Error("lesson.broken", {{"file", file_.string()}, {"line", std::to_string(line_)}, {"what", what}});
  }
  void only(std::initializer_list<std::string_view> keys) const {
    const std::vector<std::string> known(keys.begin(), keys.end());
    for (const auto& [key, node] : table_) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      const std::string meant = nearest(key.str(), known);
      broken("unknown key \"" + std::string(key.str()) + "\"" + (meant.empty() ? "" : ", meant \"" + meant + "\"?"));
    }
  }
  std::string text(const char* key) const {
    const auto value = table_[key].value_exact<std::string>();
    if (!value || value->empty()) broken("\"" + std::string(key) + "\" must be a text");
    return *value;
  }
  std::string text_or(const char* key) const { return table_.contains(key) ? text(key) : std::string(); }
  std::string scalar(const toml::node& node, const std::string& key) const {
    if (const auto word = node.value_exact<std::string>()) return *word;
    if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
    broken("\"" + key + "\" must be a text or a whole number");
  }
  const toml::table& table() const { return table_; }

 private:
  toml::table table_;
  std::filesystem::path file_;
  int line_;
};

void read_demo(const LiveFields& fields, Live& live) {
  fields.only({"demo", "set", "ranks", "backend", "semantics", "link", "strict", "ask", "look", "value", "why"});
  live.id = fields.text("demo");
  live.command = {"run", live.id};
  if (const toml::node* set = fields.table().get("set")) {
    const toml::table* knobs = set->as_table();
    if (knobs == nullptr) fields.broken("\"set\" must be a table of knobs");
    for (const auto& [knob, value] : *knobs)
      live.command.insert(live.command.end(), {"--set", std::string(knob.str()) + "=" + fields.scalar(value, std::string(knob.str()))});
  }
  for (const char* option : {"ranks", "backend", "semantics", "link"})
    if (const toml::node* node = fields.table().get(option)) live.command.insert(live.command.end(), {"--" + std::string(option), fields.scalar(*node, option)});
  if (fields.table()["strict"].value_or(false)) live.command.push_back("--strict");
}

void read_quiz(const LiveFields& fields, Live& live) {
  fields.only({"question", "answers", "right", "why"});
  live.ask = fields.text("question");
  const toml::array* answers = fields.table()["answers"].as_array();
  if (answers == nullptr || answers->size() < 2) fields.broken("\"answers\" must list at least two texts");
  for (const toml::node& each : *answers) live.answers.push_back(fields.scalar(each, "answers"));
  const auto right = fields.table()["right"].value_exact<std::int64_t>();
  if (!right || *right < 1 || *right > static_cast<std::int64_t>(live.answers.size())) fields.broken("\"right\" must be the number of an answer, counted from 1");
  live.right = static_cast<std::size_t>(*right) - 1;
  live.why = fields.text("why");
}

std::string_view trimmed_part(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<Live::Kind> live_kind(std::string_view word) {
  for (const LiveWord& each : kLiveWords)
    if (each.word == word) return each.kind;
  return std::nullopt;
}

std::string_view to_string(Live::Kind kind) {
  for (const LiveWord& each : kLiveWords)
    if (each.kind == kind) return each.word;
  return {};
}

Live parse_live(Live::Kind kind, const std::string& toml, const std::filesystem::path& file, int line) {
  const LiveFields fields(toml, file, line);
  Live live;
  live.kind = kind;
  if (kind == Live::Kind::quiz) {
    read_quiz(fields, live);
    return live;
  }
  if (kind == Live::Kind::demo) {
    read_demo(fields, live);
  } else if (kind == Live::Kind::claim) {
    fields.only({"claim", "ask", "look", "value", "why"});
    live.id = fields.text("claim");
    live.command = {"claim", "run", live.id};
  } else {
    fields.only({"command", "ask", "look", "value", "why"});
    live.command = command_words("sim " + fields.text("command"));
  }
  live.ask = fields.text_or("ask");
  live.look = fields.text_or("look");
  live.value = fields.text_or("value");
  live.why = fields.text_or("why");
  if (!live.value.empty() && live.look.empty()) fields.broken("\"value\" without \"look\": where does the number stand?");
  return live;
}

Figure parse_figure(std::string_view text, const std::filesystem::path& file, int line) {
  const std::size_t bar = text.find(" | "), arrow = text.find(" -> ");
  if (bar == std::string_view::npos || arrow == std::string_view::npos || arrow < bar)
    throw Error("lesson.broken", {{"file", file.string()}, {"line", std::to_string(line)}, {"what", "a figure is written <!-- figure: COMMAND | NUMBER -> VALUE -->"}});
  Figure out;
  out.command = command_words(text.substr(0, bar));
  out.look = trimmed_part(text.substr(bar + 3, arrow - bar - 3));
  out.value = trimmed_part(text.substr(arrow + 4));
  return out;
}

std::vector<std::string> command_words(std::string_view text) {
  std::vector<std::string> out;
  bool inside = false, quoted = false;
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
      if (quoted && !inside) out.emplace_back(), inside = true;
    } else if ((c == ' ' || c == '\n') && !quoted) {
      inside = false;
    } else {
      if (!inside) out.emplace_back(), inside = true;
      out.back() += c;
    }
  }
  return out;
}

std::string typed_command(const std::vector<std::string>& words) {
  std::string out = "p2plab";
  for (const std::string& word : words) {
    const bool plain = !word.empty() && word.find_first_of(" \"'$&|;<>()*?#~\\") == std::string::npos;
    out += plain ? " " + word : " '" + word + "'";
  }
  return out;
}

}  // namespace p2plab::content
