// See lesson.h.
#include "app/content/lesson.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "app/content/markdown.h"
#include "app/content/nearest.h"
#include "app/content/toml_reader.h"
#include "app/trace/error.h"

namespace p2plab::content {
namespace {

[[noreturn]] void lesson_broken(const std::filesystem::path& file, toml::source_index line, const std::string& what) {
  throw Error("lesson.broken", {{"file", file.string()}, {"line", std::to_string(std::max<toml::source_index>(line, 1))}, {"what", what}});
}

Lesson read_lesson(const std::filesystem::path& folder) {
  const auto file = folder / "lesson.toml";
  const toml::table table = parse_toml(file);
  const TomlReader reader(file, table);
  reader.only({"title", "summary", "order", "minutes", "rows"});
  Lesson out;
  out.id = folder.filename().string();
  out.folder = folder;
  out.title = reader.bilingual("title");
  out.summary = reader.bilingual("summary");
  out.order = reader.number("order", 0, 1, 999);
  out.minutes = reader.number("minutes", 0, 1, 999);
  if (out.order < 1 || out.minutes < 1) reader.broken("order and minutes are whole numbers from 1");
  out.rows = reader.numbers("rows");
  return out;
}

}  // namespace

std::vector<Lesson> load_lessons(const std::filesystem::path& folder, std::vector<LeftOut>* broken) {
  std::vector<Lesson> out;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (!std::filesystem::exists(entry.path() / "lesson.toml")) continue;
    unless_broken(broken, entry.path().filename().string(), [&] { out.push_back(read_lesson(entry.path())); });
  }
  if (broken != nullptr) std::sort(broken->begin(), broken->end(), [](const LeftOut& a, const LeftOut& b) { return a.id < b.id; });
  if (out.empty() && (broken == nullptr || broken->empty())) throw Error("lesson.none", {{"folder", folder.string()}}, 3);
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
