// Lessons: assets/lessons/ID/{lesson.toml, zh.md, en.md}, and torch/*.py beside them. A teacher can edit them.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/content/document.h"
#include "app/content/left_out.h"
#include "app/content/twin.h"

namespace p2plab::content {

struct Lesson {
  std::string id;
  int order = 0;
  int minutes = 0;                       ///< to read, runs included
  Twin title, summary;                   ///< the summary is one sentence
  std::vector<int> rows;                 ///< sentences of the answer card it answers, numbered as in assets/lessons/README.md
  std::filesystem::path folder;
};

/// In reading order. Throws Error "lesson.none" when the folder has no lesson, "manifest.broken" {file, line, what}; with `broken`
/// such a lesson is left out and told there.
std::vector<Lesson> load_lessons(const std::filesystem::path& folder, std::vector<LeftOut>* broken = nullptr);
/// Throws Error "lesson.unknown" (or "lesson.unknown_far") with what is known and what was probably meant.
const Lesson& find_lesson(const std::vector<Lesson>& lessons, const std::string& id);
/// The text in a language. Throws Error "lesson.broken".
Document lesson_text(const Lesson& lesson, Language language);
/// The Python files beside a lesson, sorted.
std::vector<std::filesystem::path> torch_files(const Lesson& lesson);

}  // namespace p2plab::content
