// See drill.h.
#include "app/gui/model/drill.h"

#include <algorithm>
#include <fmt/format.h>

#include "app/report/utf8.h"

namespace p2plab::gui {

using content::Card;
using content::CardKind;

void Drill::open(const std::filesystem::path& assets) {
  if (cards_ || error_) return;
  try {
    demos_ = assets.parent_path() / "demos";
    open(assets / "drill", content::data_directory() / "progress.jsonl");
  } catch (const Error& error) {
    error_ = error.text();
  }
}

void Drill::open(const std::filesystem::path& cards, const std::filesystem::path& progress) {
  cards_.emplace(cards, &left_out_);
  progress_.emplace(progress);
  read_progress();
}

void Drill::read_progress() {
  const auto records = progress_->records();
  deck_.emplace(*cards_, records);
  interview_ = content::interview_of(records, content::today());
}

void Drill::save(content::Progress::Record record) {
  try {
    progress_->append(std::move(record));
    not_saved_.reset();
  } catch (const Error& error) {
    not_saved_ = error.text();
  }
  read_progress();
}

int Drill::import_progress(const std::filesystem::path& file) {
  const int count = progress_->import_from(file);
  read_progress();
  return count;
}

content::Plan Drill::plan(const std::string& topic) const {
  content::PlanOptions options;
  options.topic = topic;
  options.minutes = minutes;
  options.interview = interview_;
  options.seed = seed;
  return deck_->plan(options);
}

void Drill::set_interview_in(int days) {
  const auto day = days > 0 ? std::optional<content::Day>(content::today() + std::chrono::days(days)) : std::nullopt;
  save(content::interview_record(day));
  interview_ = day;  // also where nothing could be saved
}

void Drill::start_drill(const std::string& topic, double now) {
  mock_.reset();
  plan_ = plan(topic);
  at_ = 0;
  depth_ = 0;
  answered_.clear();
  if (plan_.cards.empty()) return;
  show(plan_.cards.front(), now);
}

void Drill::start_mock(double now) {
  mock_.emplace(*cards_, seed);
  depth_ = 0;
  show(mock_->next(), now);
}

bool Drill::start_card(std::string_view id, double now) {
  const Card* card = cards_->find(id);
  if (card == nullptr) return false;
  mock_.reset();
  plan_ = {};
  plan_.cards.push_back(card);
  at_ = 0;
  depth_ = 0;
  answered_.clear();
  show(card, now);
  return true;
}

std::string Drill::characters() const {
  std::string out;
  const auto add = [&out](const content::Twin& text) { out += text.en + text.zh; };
  for (const auto& topic : cards_->topics()) add(topic.title);
  for (const Card& card : cards_->all()) {
    for (const auto* text : {&card.question, &card.answer, &card.says, &card.two_minutes, &card.five_minutes, &card.sentence}) add(*text);
    for (const auto& point : card.points) add(point.text);
    for (const auto& text : card.fatal) add(text);
    for (const auto& text : card.steps) add(text);
    out += card.source + card.code + card.prediction.unit;
  }
  return out;
}

void Drill::leave() {
  if (mock_ && phase_ != DrillPhase::report && !mock_->asked().empty() && mock_->asked().front().answered) {
    phase_ = DrillPhase::report;  // what was answered is reported
    return;
  }
  mock_.reset();
  phase_ = DrillPhase::home;
}

void Drill::show(const Card* card, double now) {
  card_ = card;
  attempt_ = {};
  grade_ = {};
  proof.reset();
  read_blanks();
  typed_.clear();
  refused_ = false;
  stepper_.reset();
  stopped_.reset();
  began_ = now;
  shuffled_.clear();
  if (card == nullptr) {
    phase_ = mock_ ? DrillPhase::report : DrillPhase::home;
    return;
  }
  phase_ = DrillPhase::ask;
  attempt_.points.assign(card->points.size(), false);
  attempt_.fatal.assign(card->fatal.size(), false);
  if (card->kind == CardKind::cause_bug) stepper_.emplace(card->ranks, card->slots);
  for (std::size_t i = 0; i < card->steps.size(); ++i) shuffled_.push_back(static_cast<int>(i));
  std::uint64_t lots = seed + card->id.size();
  while (shuffled_.size() > 1 && std::is_sorted(shuffled_.begin(), shuffled_.end()))
    for (std::size_t i = shuffled_.size(); i > 1; --i) std::swap(shuffled_[i - 1], shuffled_[content::draw(lots, i)]);
}

void Drill::read_blanks() {
  blanks.clear();
  runs_.clear();
  if (card_ == nullptr || card_->blanks.empty()) return;
  for (const auto& record : progress_->records("resume")) {  // the last one counts
    if (record.value("card", "") != card_->id || !record.contains("blanks") || !record["blanks"].is_object()) continue;
    blanks.clear();
    for (const auto& [name, value] : record["blanks"].items())
      if (value.is_string()) blanks[name] = value.get<std::string>();
  }
  runs_ = report::saved_runs(progress_->file().parent_path() / "runs", demos_);
}

void Drill::save_blanks() {
  content::Progress::Record kept = content::Progress::Record::object();
  for (const auto& [name, value] : blanks)
    if (!value.empty()) kept[name] = value;
  save({{"kind", "resume"}, {"card", card_->id}, {"blanks", std::move(kept)}});
}

std::string Drill::heading(const content::Text& text) const {
  if (mock_) return text("drill.gui_mock_time", {{"gone", fmt::format("{:.0f}", mock_->minutes_gone())}, {"all", fmt::format("{:.0f}", mock_->minutes())}});
  return fmt::format("{} / {}", at_ + 1, plan_.cards.size());
}

std::optional<content::Day> Drill::due() const {
  if (phase_ != DrillPhase::graded || !deck_->state(*card_).memory) return std::nullopt;
  return deck_->due(*card_, interview_, content::today());
}

void Drill::type(char32_t character) {
  const char32_t typed = content::plain_character(character);
  if (phase_ != DrillPhase::ask || typed < 32 || typed == 127 || typed_.size() >= 24) return;
  refused_ = false;
  const char c = static_cast<char>(typed < 128 ? typed : 0);
  if (card_->kind == CardKind::predict) report::append(typed_, typed);
  if (card_->kind == CardKind::spot_bug && c >= '0' && c <= '9') typed_ += c;
  if (card_->kind == CardKind::order) {
    const auto index = static_cast<std::size_t>((c | 0x20) - 'a');
    if (index < shuffled_.size() && typed_.find(static_cast<char>('a' + index)) == std::string::npos) typed_ += static_cast<char>('a' + index);
  }
}

void Drill::erase() {
  refused_ = false;
  while (!typed_.empty() && (static_cast<unsigned char>(typed_.back()) & 0xC0) == 0x80) typed_.pop_back();
  if (!typed_.empty()) typed_.pop_back();
}

void Drill::say(bool truth) {
  if (phase_ == DrillPhase::ask && card_->kind == CardKind::true_false) attempt_.said_true = truth;
}

void Drill::step(int rank) {
  if (phase_ != DrillPhase::ask || !stepper_ || rank >= stepper_->ranks()) return;
  stepper_->step(rank);
}

void Drill::start_again() {
  if (phase_ == DrillPhase::ask && stepper_) stepper_.emplace(card_->ranks, card_->slots);
}

bool Drill::give(double now) {
  if (phase_ != DrillPhase::ask) return false;
  switch (card_->kind) {
    case CardKind::true_false:
      if (!attempt_.said_true) return false;
      break;
    case CardKind::predict:
      attempt_.number = content::parse_answer(typed_, card_->prediction.unit);
      refused_ = !typed_.empty() && !attempt_.number;
      if (refused_) return false;
      break;
    case CardKind::spot_bug:
      if (!typed_.empty()) attempt_.line = static_cast<int>(content::parse_number(typed_).value_or(0));
      break;
    case CardKind::order:
      refused_ = !typed_.empty() && typed_.size() != shuffled_.size();
      if (refused_) return false;
      attempt_.order.clear();
      for (const char c : typed_) attempt_.order.push_back(shuffled_[static_cast<std::size_t>(c - 'a')]);
      break;
    case CardKind::cause_bug: attempt_.deadlocked = stepper_->deadlocked(); break;
    case CardKind::pitch: case CardKind::follow_up: case CardKind::pitfall: case CardKind::resume: break;
  }
  stopped_ = now - began_;
  attempt_.seconds = *stopped_;
  phase_ = DrillPhase::confidence;
  return true;
}

void Drill::be_sure(int percent) {
  if (phase_ != DrillPhase::confidence) return;
  attempt_.confidence = percent;
  phase_ = DrillPhase::answer;
}

void Drill::toggle_point(std::size_t index) {
  if (phase_ == DrillPhase::answer && content::points_count(card_->kind) && index < attempt_.points.size()) attempt_.points[index] = !attempt_.points[index];
}

void Drill::toggle_fatal(std::size_t index) {
  if (phase_ == DrillPhase::answer && content::points_count(card_->kind) && index < attempt_.fatal.size()) attempt_.fatal[index] = !attempt_.fatal[index];
}

void Drill::finish() {
  if (phase_ != DrillPhase::answer) return;
  grade_ = content::grade(*card_, attempt_);
  if (mock_) mock_->answered(attempt_, attempt_.seconds);
  answered_.push_back(card_->id);
  phase_ = DrillPhase::graded;
  save(review_record(*card_, attempt_, grade_, mock_ ? "mock" : "drill", language_));
}

void Drill::next(double now) {
  if (phase_ != DrillPhase::graded) return;
  if (mock_) {
    const Card* card = mock_->next();
    depth_ = card != nullptr ? mock_->asked().back().depth : 0;
    return show(card, now);
  }
  const auto fresh = [&](const Card* card) { return card != nullptr && std::find(answered_.begin(), answered_.end(), card->id) == answered_.end(); };
  for (const std::size_t point : grade_.missed) {
    const Card* card = cards_->find(card_->points[point].ask);
    if (depth_ >= content::Mock::kMostFollowUps || !fresh(card)) continue;
    ++depth_;
    return show(card, now);
  }
  depth_ = 0;
  for (++at_; at_ < plan_.cards.size(); ++at_)
    if (fresh(plan_.cards[at_])) return show(plan_.cards[at_], now);
  show(nullptr, now);
}

const content::Evidence* Drill::prove() {
  if (card_ == nullptr || (phase_ != DrillPhase::graded && phase_ != DrillPhase::answer)) return nullptr;
  save(proved_record(*card_));
  return &card_->evidence.front();
}

}  // namespace p2plab::gui
