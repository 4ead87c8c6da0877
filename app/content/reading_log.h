// What a learner has read of the lessons and predicted in them, kept among the progress (records of kind "lesson").
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/content/day.h"
#include "app/content/progress.h"
#include "app/content/text.h"

namespace p2plab::content {

struct ReadLesson {
  std::optional<Day> read;               ///< to its end, the last time
  int predicted = 0, right = 0;          ///< blocks answered; only the first answer to each counts
};

/// How a prediction came out. `close`: a number within 25 %.
enum class Foreseen { right, close, off };

class ReadingLog {
 public:
  /// Without a file the learner's own progress, found on first use.
  explicit ReadingLog(std::optional<std::filesystem::path> file = std::nullopt) : file_(std::move(file)) {}

  /// By lesson; those that were never read are missing. Read again after each record of this log.
  const std::map<std::string, ReadLesson>& states();
  /// Of one lesson.
  ReadLesson state(const std::string& lesson);
  /// At most one record a day.
  void read(const std::string& lesson, Language language);
  void predicted(const std::string& lesson, std::size_t block, Foreseen how);
  /// Why the last record could not be kept; nothing when it was.
  const std::optional<TextRef>& not_saved() const { return not_saved_; }

 private:
  Progress& progress();
  void save(Progress::Record record);
  std::optional<std::filesystem::path> file_;
  std::optional<Progress> progress_;
  std::optional<std::map<std::string, ReadLesson>> states_;
  std::optional<TextRef> not_saved_;
};

}  // namespace p2plab::content
