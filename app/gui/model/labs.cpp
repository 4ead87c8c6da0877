// See labs.h.
#include "app/gui/model/labs.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "app/check/lab_folder.h"
#include "app/content/markdown.h"

namespace p2plab::gui {
namespace {

std::string text_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const char* word_of(content::Language language) { return language == content::Language::zh ? "zh" : "en"; }

}  // namespace

/// What is done with the learner's files may fail: then that is said, and everything stays as it is.
template <class Act>
void Labs::attempt(Act act) {
  problem_.reset();
  said_.reset();
  characters_known_ = false;
  if (lab_ == nullptr) return;
  try {
    act();
  } catch (const Error& error) {
    problem_ = error.text();
  } catch (const std::filesystem::filesystem_error& error) {
    problem_ = TextRef{"file.unwritable", {{"path", error.path1().string()}, {"why", error.code().message()}}};
  }
}

const std::vector<check::LabManifest>& Labs::all() {
  if (labs_) return *labs_;
  labs_.emplace();
  try {
    labs_ = check::load_labs(check::labs_directory(installation_.share(), chosen_), &broken_, installation_.share() / "labs");
    glossary_.emplace(installation_.assets() / "glossary.toml");
  } catch (const Error& error) {
    error_ = error.text();
  }
  refresh();
  return *labs_;
}

void Labs::refresh() {
  characters_known_ = false;
  if (!labs_) return;
  try {
    const check::LabDiary diary;
    for (const check::LabManifest& lab : *labs_) states_[lab.id] = diary.state(lab.id);
  } catch (const Error& error) {
    problem_ = error.text();
  }
}

const check::LabState& Labs::state(const std::string& id) const {
  static const check::LabState none;
  const auto found = states_.find(id);
  return found == states_.end() ? none : found->second;
}

void Labs::open(const std::string& word) {
  close();
  error_.reset();
  all();
  for (const check::BrokenLab& each : broken_)
    if (check::is_called(each.id, word)) {
      error_ = each.why;
      return;
    }
  try {
    lab_ = &check::find_lab(all(), word);
  } catch (const Error& error) {
    error_ = error.text();
  }
  refresh();
}

void Labs::close() {
  if (checking_) {
    checking_->cancel();
    ending_.push_back(std::move(checking_));
  }
  watch_.reset();
  again_ = false;
  lab_ = nullptr;
  result_.reset();
  ++results_;
  problem_.reset();
  said_.reset();
  shown = LabText::task;
  forget_texts();
  ++generation_;
}

void Labs::forget_texts() {
  tasks_.clear();
  terms_.clear();
  solution_.clear();
  solution_asked_ = false;
  characters_known_ = false;
}

const check::LabManifest* Labs::neighbour(int by) {
  const auto& labs = all();
  if (lab_ == nullptr) return nullptr;
  const auto at = lab_ - labs.data() + by;
  return at >= 0 && at < static_cast<std::ptrdiff_t>(labs.size()) ? &labs[static_cast<std::size_t>(at)] : nullptr;
}

const content::Document* Labs::task(content::Language language) {
  if (lab_ == nullptr || error_) return nullptr;
  if (const auto found = tasks_.find(language); found != tasks_.end()) return &found->second;
  try {
    const auto file = lab_->task(word_of(language));
    content::Document document = content::parse_markdown(text_of_file(file), file);
    if (language == content::Language::en) narrow_quotes(document);
    const auto& kept = tasks_[language] = std::move(document);
    if (glossary_) mark_terms(kept, *glossary_, terms_);
    characters_known_ = false;
    return &kept;
  } catch (const Error& error) {
    error_ = error.text();
    return nullptr;
  }
}

std::filesystem::path Labs::folder() const {
  return lab_ == nullptr ? std::filesystem::path() : check::started_folder(*lab_, state(lab_->id).folder);
}
std::filesystem::path Labs::file() const {
  const auto where = folder();
  return where.empty() ? where : std::filesystem::absolute(where / lab_->file).lexically_normal();
}
std::filesystem::path Labs::folder_to_be() const { return lab_ == nullptr ? std::filesystem::path() : std::filesystem::absolute(lab_->id); }

void Labs::start(content::Language language) {
  attempt([&] {
    const auto where = folder_to_be();
    const bool copied = check::start_lab(*lab_, where, word_of(language));
    check::LabDiary().started(lab_->id, where);
    said_ = TextRef{copied ? "labs.started" : "lab.is_started", {{"lab", lab_->id}, {"folder", where.string()}, {"file", lab_->file}}};
    refresh();
  });
}

void Labs::reset(content::Language language) {
  attempt([&] {
    const auto where = folder();
    if (where.empty()) throw Error("lab.not_started", {{"lab", lab_->id}});
    const auto kept = check::reset_lab(*lab_, where, word_of(language));
    said_ = TextRef{kept.empty() ? "lab.reset_same" : "lab.reset_kept", {{"lab", lab_->id}, {"folder", where.string()}, {"file", kept.string()}}};
  });
}

void Labs::edit() {
  attempt([&] {
    if (file().empty()) throw Error("lab.not_started", {{"lab", lab_->id}});
    editor_.open(file());
    problem_ = editor_.problem();
  });
}

int Labs::hints() const { return lab_ == nullptr ? 0 : std::min<int>(state(lab_->id).hints, static_cast<int>(lab_->hints.size())); }

void Labs::next_hint() {
  attempt([&] {
    shown = LabText::hints;
    if (hints() >= static_cast<int>(lab_->hints.size())) return;
    check::LabDiary().hinted(lab_->id, hints() + 1);
    refresh();
  });
}

bool Labs::may_see_solution() const { return lab_ != nullptr && (state(lab_->id).passed || state(lab_->id).solution); }

void Labs::show_solution() {
  attempt([&] {
    shown = LabText::solution;
    if (!may_see_solution() && !solution_asked_) {
      solution_asked_ = true;
      return;
    }
    if (!state(lab_->id).solution) check::LabDiary().solved(lab_->id);
    solution_ = text_of_file(lab_->solution_file());
    refresh();
  });
}

void Labs::check() {
  if (checking_) return;
  attempt([&] {
    const auto where = folder();
    if (where.empty()) throw Error("lab.not_started", {{"lab", lab_->id}});
    checking_ = std::make_unique<LabChecking>(installation_, *lab_, where);
  });
}

void Labs::cancel() {
  again_ = false;
  if (checking_) checking_->cancel();
}

void Labs::watch(bool on) {
  watch_.reset();
  again_ = false;
  if (!on) return;
  attempt([&] {
    if (file().empty()) throw Error("lab.not_started", {{"lab", lab_->id}});
    watch_.emplace(std::vector<std::filesystem::path>{file()});
  });
  if (watch_) check();
}

void Labs::take_result() {
  const auto done = std::move(checking_);
  attempt([&] {
    result_ = done->take();
    request_ = done->request();
    ++results_;
    check::LabDiary().checked(lab_->id, *result_, request_.seed);
    refresh();
  });
}

bool Labs::poll() {
  std::erase_if(ending_, [](const auto& each) { return each->over(); });
  bool changed = false;
  if (editor_.poll()) {
    problem_ = editor_.problem();
    changed = true;
  }
  if (watch_ && watch_->saved()) {
    again_ = true;
    changed = true;
  }
  if (checking_ && checking_->over()) {
    take_result();
    changed = true;
  }
  if (again_ && !checking_) {
    again_ = false;
    check();
    changed = true;
  }
  return changed;
}

const std::string& Labs::characters() {
  if (characters_known_) return characters_;
  characters_known_ = true;
  std::string& out = characters_;
  out.clear();
  const auto both = [&out](const content::Twin& twin) { out += twin.en + twin.zh; };
  for (const check::LabManifest& lab : all()) {
    both(lab.title);
    both(lab.summary);
  }
  for (const auto& each : broken_)
    for (const auto& [name, value] : each.why.params) out += value;
  if (lab_ == nullptr) return out;
  for (const auto& [language, document] : tasks_) {
    content::each_text(document, [&](const content::Inlines& inlines, const content::Block&) { out += content::plain_text(inlines); });
    content::each_block(document.blocks, [&](const content::Block& block) { out += block.text; });
  }
  for (const auto& hint : lab_->hints) both(hint);
  for (const auto& one : lab_->checks) {
    both(one.title);
    both(one.look);
  }
  both(lab_->why);
  for (const auto& point : lab_->points) both(point);
  out += solution_ + folder_to_be().string() + folder().string();
  for (const auto& about : {problem_, said_})
    for (const auto& [name, value] : about ? about->params : Params{}) out += value;
  if (!result_) return out;
  out += result_->compiler_text;
  for (const std::string& name : result_->ignored) out += name;
  for (const check::LabOutcome& outcome : result_->checks) {
    for (const auto& [name, value] : outcome.what.params) out += value;
    for (const auto& finding : outcome.findings) {
      for (const auto& [name, value] : finding.detail.params) out += value;
      for (const auto& site : finding.sites) out += site.call + site.file;
    }
  }
  return out;
}

}  // namespace p2plab::gui
