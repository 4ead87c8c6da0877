// See lesson.h.
#include "app/content/lesson.h"

#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "app/content/markdown.h"
#include "app/content/nearest.h"
#include "app/trace/error.h"

namespace p2plab::content {
namespace {

[[noreturn]] void lesson_broken(const std::filesystem::path& file, toml::source_index line, const std::string& what) {
  throw Error("lesson.broken", {{"file", file.string()}, {"line", std::to_string(std::max<toml::source_index>(line, 1))}, {"what", what}});
}

Twin lesson_twin(const std::filesystem::path& file, const toml::table& table, const char* key) {
  Twin out{table[key]["en"].value_or(std::string()), table[key]["zh"].value_or(std::string())};
  if (out.en.empty() || out.zh.empty()) lesson_broken(file, table.source().begin.line, std::string(key) + " needs both en and zh");
  return out;
}

Lesson read_lesson(const std::filesystem::path& folder) {
  const auto file = folder / "lesson.toml";
  toml::table table;
  try {
    table = toml::parse_file(file.string());
  } catch (const toml::parse_error& error) {
    lesson_broken(file, error.source().begin.line, std::string(error.description()));
  }
  const std::vector<std::string> known{"title", "summary", "order", "minutes", "rows"};
  for (const auto& [key, node] : table)
    if (std::find(known.begin(), known.end(), key.str()) == known.end()) lesson_broken(file, node.source().begin.line, "unknown key \"" + std::string(key.str()) + "\"");
  Lesson out;
  out.id = folder.filename().string();
  out.folder = folder;
  out.title = lesson_twin(file, table, "title");
  out.summary = lesson_twin(file, table, "summary");
  out.order = table["order"].value_or(0);
  out.minutes = table["minutes"].value_or(0);
  if (out.order < 1 || out.minutes < 1) lesson_broken(file, 1, "order and minutes are whole numbers from 1");
  if (const toml::array* rows = table["rows"].as_array())
    for (const toml::node& row : *rows) {
      const auto number = row.value_exact<std::int64_t>();
      if (!number) lesson_broken(file, row.source().begin.line, "rows are numbers of sentences");
      out.rows.push_back(static_cast<int>(*number));
    }
  return out;
}

}  // namespace

std::vector<Lesson> load_lessons(const std::filesystem::path& folder) {
  std::vector<Lesson> out;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (std::filesystem::exists(entry.path() / "lesson.toml")) out.push_back(read_lesson(entry.path()));
  if (out.empty()) throw Error("lesson.none", {{"folder", folder.string()}}, 3);
  std::sort(out.begin(), out.end(), [](const Lesson& a, const Lesson& b) { return a.order != b.order ? a.order < b.order : a.id < b.id; });
  return out;
}

const Lesson& find_lesson(const std::vector<Lesson>& lessons, const std::string& id) {
  std::vector<std::string> known;
  for (const Lesson& lesson : lessons) {
    if (lesson.id == id) return lesson;
    known.push_back(lesson.id);
  }
  const std::string meant = nearest(id, known);
  throw Error(meant.empty() ? "lesson.unknown_far" : "lesson.unknown", {{"value", id}, {"known", join(known)}, {"nearest", meant}});
}

Document lesson_text(const Lesson& lesson, Language language) {
  const auto file = lesson.folder / (language == Language::zh ? "zh.md" : "en.md");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in || text.str().empty()) lesson_broken(file, 1, "the file is missing or empty");
  return parse_markdown(text.str(), file);
}

std::vector<std::filesystem::path> torch_files(const Lesson& lesson) {
  std::vector<std::filesystem::path> out;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(lesson.folder / "torch", none))
    if (entry.path().extension() == ".py") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace p2plab::content
