// The lesson that is open: its text in the language in use, and what its live blocks have shown. A live block runs as a
// job of its own, the same command that the terminal takes; the window never waits for it.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/content/glossary.h"
#include "app/content/lesson.h"
#include "app/gui/model/marked_terms.h"
#include "app/launch/job.h"
#include "app/report/lesson_number.h"
#include "app/trace/trace.h"

namespace p2plab::gui {

/// What has become of one live block since the lesson was opened.
struct LiveState {
  enum class State { idle, running, done, failed };
  State state = State::idle;
  std::string guess;                        ///< typed before the run
  std::optional<std::size_t> chosen;        ///< answer of a quiz
  nlohmann::ordered_json json;
  std::unique_ptr<trace::Trace> trace;      ///< null when the command has none
  std::filesystem::path trace_file;
  std::string shown;                        ///< the number to look at
  std::optional<report::Guess> scored;
  std::string said;                         ///< the prediction that the run was made with
  std::optional<bool> ticked;               ///< of a prediction in words, by its author
  bool noted = false;                       ///< the prediction has been kept
  std::string output;                       ///< what the command said; its complaint when it failed
};

class LessonReader {
 public:
  explicit LessonReader(launch::Installation installation) : installation_(std::move(installation)) {}
  ~LessonReader();
  LessonReader(const LessonReader&) = delete;
  LessonReader& operator=(const LessonReader&) = delete;

  /// All lessons, read on the first call; empty with error() when they cannot be.
  const std::vector<content::Lesson>& lessons();
  const std::optional<TextRef>& error() const { return error_; }
  /// Those that are broken.
  const std::vector<content::LeftOut>& left_out() const { return left_out_; }

  /// Opens it; an unknown id sets error(). What ran in the lesson before is ended.
  void open(const std::string& id);
  void close();
  const content::Lesson* lesson() const { return lesson_; }
  /// The lesson before or after; nullptr at the ends.
  const content::Lesson* neighbour(int by);

  /// The text of the open lesson, its citations marked. Null with error() when it cannot be read.
  const content::Document* document(const content::Text& text);
  const std::vector<MarkedTerm>& terms(const content::Inlines& inlines) const;

  /// The state of the live block with this index among the document's blocks: the same in both languages.
  LiveState& live(std::size_t index) { return states_[index]; }
  void run(std::size_t index, const content::Live& live, content::Language language);
  void stop();
  /// The block that runs now.
  std::optional<std::size_t> running() const { return running_; }
  /// Looks after the run; true when something changed. Never blocks.
  bool poll();

  /// Counts openings: whoever remembers something of a lesson forgets it when this changes.
  int generation() const { return generation_; }
  /// Every character of the open lesson in both languages and of what ran in it: for the fonts.
  std::string characters() const;

 private:
  void take_result();

  launch::Installation installation_;
  std::optional<std::vector<content::Lesson>> lessons_;
  std::optional<content::Glossary> glossary_;
  std::optional<TextRef> error_;
  std::vector<content::LeftOut> left_out_;
  const content::Lesson* lesson_ = nullptr;
  std::map<content::Language, content::Document> documents_;
  MarkedTerms terms_;
  std::map<std::size_t, LiveState> states_;
  std::optional<launch::Job> job_;
  std::optional<std::size_t> running_;
  content::Live running_live_;
  std::filesystem::path folder_;             ///< of the files that runs write; made on the first run, removed at the end
  int generation_ = 0, runs_ = 0;
};

}  // namespace p2plab::gui
