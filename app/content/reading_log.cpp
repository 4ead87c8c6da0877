// See reading_log.h.
#include "app/content/reading_log.h"

#include <set>
#include <utility>

namespace p2plab::content {

namespace {

std::string_view word_of(Foreseen how) { return how == Foreseen::right ? "right" : how == Foreseen::close ? "close" : "off"; }

}  // namespace

Progress& ReadingLog::progress() {
  if (!progress_) progress_.emplace(file_ ? *file_ : data_directory() / "progress.jsonl");
  return *progress_;
}

const std::map<std::string, ReadLesson>& ReadingLog::states() {
  if (states_) return *states_;
  states_.emplace();
  try {
    std::set<std::pair<std::string, std::size_t>> answered;
    for (const auto& record : progress().records("lesson")) {
      const std::string lesson = record.value("lesson", ""), event = record.value("event", "");
      if (lesson.empty()) continue;
      if (event == "read") (*states_)[lesson].read = parse_day(record.value("day", ""));
      if (event != "predicted" || !answered.emplace(lesson, record.value("block", std::size_t{0})).second) continue;
      ++(*states_)[lesson].predicted;
      (*states_)[lesson].right += record.value("how", "") == "right" ? 1 : 0;
    }
  } catch (const Error& error) {
    not_saved_ = error.text();
  } catch (const nlohmann::json::exception&) {  // a field of another kind, by somebody else's hand: what was read so far stands
  }
  return *states_;
}

ReadLesson ReadingLog::state(const std::string& lesson) {
  const auto found = states().find(lesson);
  return found == states().end() ? ReadLesson() : found->second;
}

void ReadingLog::read(const std::string& lesson, Language language) {
  if (state(lesson).read == today()) return;
  save({{"kind", "lesson"}, {"lesson", lesson}, {"event", "read"}, {"lang", language == Language::zh ? "zh" : "en"}});
}

void ReadingLog::predicted(const std::string& lesson, std::size_t block, Foreseen how) {
  save({{"kind", "lesson"}, {"lesson", lesson}, {"event", "predicted"}, {"block", block}, {"how", word_of(how)}});
}

void ReadingLog::save(Progress::Record record) {
  try {
    progress().append(std::move(record));
    not_saved_.reset();
  } catch (const Error& error) {
    not_saved_ = error.text();
  }
  states_.reset();
}

}  // namespace p2plab::content
