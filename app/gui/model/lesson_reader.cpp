// See lesson_reader.h.
#include "app/gui/model/lesson_reader.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "app/content/sources.h"
#include "app/trace/perfetto.h"

namespace p2plab::gui {
namespace {

constexpr std::string_view kFolders = "p2plab-lesson-";

/// Removes the folders of windows that were killed: their names hold the process.
void sweep(const std::filesystem::path& parent) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(parent, none)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kFolders)) continue;
    const std::string process = name.substr(kFolders.size(), name.find('-', kFolders.size()) - kFolders.size());
    if (!process.empty() && process.find_first_not_of("0123456789") == std::string::npos && !std::filesystem::exists("/proc/" + process, none))
      std::filesystem::remove_all(entry.path(), none);
  }
}

/// A new folder in the system's place for temporary files; empty when there is none to be had.
std::filesystem::path temporary_folder() {
  std::error_code none;
  const auto parent = std::filesystem::temp_directory_path(none);
  sweep(parent);
  std::string name = (parent / (std::string(kFolders) + std::to_string(::getpid()) + "-XXXXXX")).string();
  return ::mkdtemp(name.data()) ? std::filesystem::path(name) : std::filesystem::path();
}

bool writes_trace(const content::Live& live) { return live.kind != content::Live::Kind::claim && live.kind != content::Live::Kind::quiz; }

}  // namespace

LessonReader::~LessonReader() {
  job_.reset();
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

const std::vector<content::Lesson>& LessonReader::lessons() {
  if (lessons_) return *lessons_;
  lessons_.emplace();
  try {
    lessons_ = content::load_lessons(installation_.assets() / "lessons", &left_out_);
    glossary_.emplace(installation_.assets() / "glossary.toml");
  } catch (const Error& error) {
    error_ = error.text();
  }
  return *lessons_;
}

void LessonReader::open(const std::string& id) {
  close();
  error_.reset();
  try {
    lesson_ = &content::find_lesson(lessons(), id);
  } catch (const Error& error) {
    error_ = error.text();
  }
}

void LessonReader::close() {
  stop();
  lesson_ = nullptr;
  documents_.clear();
  terms_.clear();
  states_.clear();
  ++generation_;
}

const content::Lesson* LessonReader::neighbour(int by) {
  const auto& all = lessons();
  if (!lesson_) return nullptr;
  const auto at = lesson_ - all.data() + by;
  return at >= 0 && at < static_cast<std::ptrdiff_t>(all.size()) ? &all[static_cast<std::size_t>(at)] : nullptr;
}

const content::Document* LessonReader::document(const content::Text& text) {
  if (!lesson_ || error_) return nullptr;
  const auto language = text.language();
  if (const auto found = documents_.find(language); found != documents_.end()) return &found->second;
  try {
    content::Document document = content::lesson_text(*lesson_, language);
    content::mark_citations(document, content::load_sources(installation_.assets() / "sources.toml"), text);
    if (language == content::Language::en) narrow_quotes(document);
    const auto& kept = documents_[language] = std::move(document);
    if (glossary_) mark_terms(kept, *glossary_, terms_);
    return &kept;
  } catch (const Error& error) {
    error_ = error.text();
    return nullptr;
  }
}

const std::vector<MarkedTerm>& LessonReader::terms(const content::Inlines& inlines) const { return terms_of(terms_, inlines); }

void LessonReader::run(std::size_t index, const content::Live& live, content::Language language) {
  stop();
  if (folder_.empty()) folder_ = temporary_folder();
  LiveState& state = states_[index];
  std::string guess = std::move(state.guess);
  state = LiveState();
  state.said = state.guess = std::move(guess);
  const auto result = folder_ / ("result-" + std::to_string(++runs_) + ".json");
  state.trace_file = folder_ / ("trace-" + std::to_string(runs_) + ".pftrace");
  launch::JobSpec job;
  job.use_mpiexec = false;
  job.limits.wall = std::chrono::minutes{3};
  job.program = {(installation_.prefix / "bin/p2plab").string()};
  job.program.insert(job.program.end(), live.command.begin(), live.command.end());
  job.program.insert(job.program.end(), {"--json", result.string(), "--lang", language == content::Language::zh ? "zh" : "en"});
  if (writes_trace(live)) job.program.insert(job.program.end(), {"--trace", state.trace_file.string()});
  try {
    job_.emplace(installation_, std::move(job));
    running_ = index;
    running_live_ = live;
    state.state = LiveState::State::running;
  } catch (const Error& error) {
    error_ = error.text();
  }
}

void LessonReader::stop() {
  if (!job_) return;
  job_->cancel();
  job_.reset();
  if (running_) states_[*running_].state = LiveState::State::idle;
  running_.reset();
}

bool LessonReader::poll() {
  if (!job_ || job_->poll()) return false;
  take_result();
  job_.reset();
  running_.reset();
  return true;
}

void LessonReader::take_result() {
  LiveState& state = states_[*running_];
  const auto& status = job_->status();
  state.output = job_->output(0, false).text();
  std::ifstream in(folder_ / ("result-" + std::to_string(runs_) + ".json"));
  state.json = nlohmann::ordered_json::parse(in, nullptr, false);
  if (state.json.is_discarded()) state.json = nullptr;
  const bool ran = status.end == launch::JobEnd::finished && status.exit_status.value_or(3) <= 1 && !state.json.is_null();
  state.state = ran ? LiveState::State::done : LiveState::State::failed;
  if (!ran) {
    if (const std::string complaint = job_->output(0, true).text(); !complaint.empty()) state.output = complaint;
    return;
  }
  const std::string look = running_live_.look.empty() && running_live_.kind == content::Live::Kind::demo ? "verdict" : running_live_.look;
  state.shown = report::shown_number(state.json, look);
  if (!state.guess.empty()) state.scored = report::compare_guess(state.guess, state.json, look);
  std::error_code none;
  if (!std::filesystem::exists(state.trace_file, none)) return;
  try {
    state.trace = std::make_unique<trace::Trace>(trace::open_perfetto(state.trace_file));
  } catch (const Error&) {
    state.trace.reset();  // the numbers are there all the same
  }
}

std::string LessonReader::characters() const {
  std::string out;
  for (const auto& [language, document] : documents_) {
    content::each_text(document, [&](const content::Inlines& inlines, const content::Block&) { out += content::plain_text(inlines); });
    content::each_block(document.blocks, [&](const content::Block& block) {
      out += block.text + block.live.ask + block.live.why;
      for (const std::string& each : block.live.answers) out += each;
    });
  }
  if (glossary_)
    for (const auto& term : glossary_->terms()) out += term.name.en + term.name.zh + term.says.en + term.says.zh;
  for (const auto& lesson : lessons_ ? *lessons_ : std::vector<content::Lesson>{}) out += lesson.title.en + lesson.title.zh + lesson.summary.en + lesson.summary.zh;
  for (const auto& [index, state] : states_) out += state.output;
  return out;
}

}  // namespace p2plab::gui
