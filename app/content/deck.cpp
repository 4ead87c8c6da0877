// See deck.h.
#include "app/content/deck.h"

#include <algorithm>
#include <cmath>

#include "app/content/nearest.h"

namespace p2plab::content {

namespace {

using std::chrono::days;

int days_between(Day from, Day to) { return static_cast<int>((to - from).count()); }

std::string text_of(const Progress::Record& record, const char* key) {
  const auto found = record.find(key);
  return found != record.end() && found->is_string() ? found->get<std::string>() : std::string();
}

int int_of(const Progress::Record& record, const char* key) {
  const auto found = record.find(key);
  return found != record.end() && found->is_number_integer() ? found->get<int>() : 0;
}

/// Speaking, then reading and ticking.
double cost_seconds(const Card& card) { return card.seconds() * 0.5 + 45; }

}  // namespace

std::size_t draw(std::uint64_t& state, std::size_t n) {
  // splitmix64
  std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<std::size_t>((z ^ (z >> 31)) % std::max<std::size_t>(n, 1));
}

Deck::Deck(const Cards& cards, const std::vector<Progress::Record>& records) : cards_(cards) {
  for (const Card& card : cards.all()) {
    index_.emplace(card.id, index_.size());
    states_.emplace(card.id, CardState{});
  }
  std::vector<const Progress::Record*> sorted;
  for (const auto& record : records) sorted.push_back(&record);
  // An imported file may hold older reviews than ours.
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return text_of(*a, "at") < text_of(*b, "at"); });
  std::map<int, CalibrationRow> calibration;
  for (const auto* record : sorted) {
    const std::string kind = text_of(*record, "kind");
    const auto found = states_.find(text_of(*record, "card"));
    const auto day = parse_day(text_of(*record, "day"));
    if (found == states_.end() || !day) continue;
    CardState& state = found->second;
    if (kind == "proved") state.lapses = 0;
    const int rating = int_of(*record, "rating");
    if (kind != "review" || rating < 1 || rating > 4) continue;
    const auto given = static_cast<fsrs::Rating>(rating);
    const std::string letter = text_of(*record, "grade");
    if (!state.memory) state.first = *day;
    state.memory = state.memory ? fsrs::next(*state.memory, std::max(0, days_between(state.last, *day)), given) : fsrs::first(given);
    state.sm2 = sm2::next(state.sm2, rating == 1 ? 1 : rating + 1);
    state.last = *day;
    state.due = *day + days(fsrs::interval(*state.memory));
    ++state.reviews;
    if (given == fsrs::Rating::again) ++state.lapses;
    state.letter = letter.size() == 1 ? letter[0] : 0;
    if (const int confidence = int_of(*record, "confidence"); confidence > 0) {
      CalibrationRow& row = calibration[confidence];
      row.confidence = confidence;
      ++row.answers;
      row.right += rating >= 3 ? 1 : 0;
    }
  }
  for (const auto& [confidence, row] : calibration) calibration_.push_back(row);
  for (const Card& card : cards.all())
    if (!states_.at(card.id).memory) fresh_.emplace(card.id, fresh_.size());
}

Day Deck::last_day(const Card& card, Day interview) const {
  return interview - days(kLastDays) + days(static_cast<int>(index_.find(card.id)->second % kLastDays));
}

std::optional<Day> Deck::due(const Card& card, const std::optional<Day>& interview, Day today) const {
  const CardState& state = states_.at(card.id);
  if (!interview) return state.memory ? state.due : today;
  const Day window = *interview - days(kLastDays);
  if (state.memory && state.last >= window && state.last < *interview) {
    // Done for good, unless it was missed: then once more, as long as there is a day left.
    return state.letter == 'D' && state.last + days(1) < *interview ? std::optional<Day>(state.last + days(1)) : std::nullopt;
  }
  const Day last_time = last_day(card, *interview);
  if (state.memory) return today < window && state.due < window ? state.due : last_time;
  // New cards are spread over what is left before the window, by their place among the new ones; as many a day at most as the
  // window's days have, so that with few days left the others are met in the window alone.
  const int room = days_between(today, window);
  if (room <= 0) return std::max(today, std::min(last_time, *interview - days(1)));
  const int slot = static_cast<int>(fresh_.at(card.id) * static_cast<std::size_t>(std::max(room, kLastDays)) / fresh_.size());
  return slot < room ? today + days(slot) : last_time;
}

Plan Deck::plan(const PlanOptions& options) const {
  if (!options.topic.empty() && cards_.topic(options.topic) == nullptr) {
    std::vector<std::string> known;
    for (const Topic& topic : cards_.topics()) known.push_back(topic.id);
    throw Error("drill.no_topic", {{"value", options.topic}, {"known", join(known)}});
  }
  if (options.interview && *options.interview < options.today) throw Error("drill.date_past", {{"value", to_string(*options.interview)}});
  const bool last_days = options.interview && options.today >= *options.interview - days(kLastDays);

  Plan out;
  struct Due {
    const Card* card;
    double recall;
    std::uint64_t lot;
  };
  std::vector<Due> old, fresh, ahead;
  std::uint64_t lots = options.seed;
  int new_today = 0;
  for (const Card& card : cards_.all()) {
    const CardState& state = states_.at(card.id);
    const std::uint64_t lot = draw(lots, 1u << 30);
    if (state.memory && state.first == options.today) ++new_today;
    if (!options.topic.empty() && card.topic != options.topic) continue;
    if (state.leech()) {
      out.leeches.push_back(&card);
      continue;
    }
    const auto due = this->due(card, options.interview, options.today);
    if (!due || *due > options.today) {
      ahead.push_back({&card, state.memory ? fsrs::retrievability(*state.memory, days_between(state.last, options.today)) : 0, lot});
      continue;
    }
    if (state.memory) old.push_back({&card, fsrs::retrievability(*state.memory, days_between(state.last, options.today)), lot});
    else fresh.push_back({&card, 0, lot});
  }
  std::stable_sort(fresh.begin(), fresh.end(), [](const Due& a, const Due& b) { return a.lot < b.lot; });
  out.due = static_cast<int>(old.size());
  // Who asks for a topic of which nothing is due gets what is weakest.
  if (!options.topic.empty() && old.empty() && fresh.empty()) old = ahead;
  std::stable_sort(old.begin(), old.end(), [](const Due& a, const Due& b) { return a.recall < b.recall; });
  if (!options.interview && options.topic.empty()) {
    const auto allowed = static_cast<std::size_t>(std::max(0, kNewCardsADay - new_today));
    if (fresh.size() > allowed) fresh.resize(allowed);
  }
  out.fresh = static_cast<int>(fresh.size());

  std::vector<std::string> families;  // met today
  for (const Card& card : cards_.all())
    if (!card.family.empty() && states_.at(card.id).memory && states_.at(card.id).last == options.today) families.push_back(card.family);
  old.insert(old.end(), fresh.begin(), fresh.end());
  double left = options.minutes * 60;
  for (const Due& due : old) {
    const Card& card = *due.card;
    if (!card.family.empty() && !last_days) {
      if (std::find(families.begin(), families.end(), card.family) != families.end()) continue;
      families.push_back(card.family);
    }
    out.cut = left < cost_seconds(card) && !out.cards.empty();
    if (out.cut) break;
    left -= cost_seconds(card);
    out.cards.push_back(&card);
  }
  return out;
}

std::vector<int> Deck::load(Day from, int count, const std::optional<Day>& interview, Day today) const {
  std::vector<int> out(static_cast<std::size_t>(std::max(count, 0)));
  for (const Card& card : cards_.all()) {
    const auto day = due(card, interview, today);
    if (!day) continue;
    const auto add = [&](Day comes) {
      const int at = days_between(from, std::max(comes, today));
      if (at >= 0 && at < count) ++out[static_cast<std::size_t>(at)];
    };
    add(*day);
    if (interview && *day < *interview - days(kLastDays)) add(last_day(card, *interview));  // and once more in the last days
  }
  return out;
}

Progress::Record review_record(const Card& card, const Attempt& attempt, const Grade& grade, std::string_view mode, Language language) {
  Progress::Record out{{"kind", "review"}, {"card", card.id}, {"rating", static_cast<int>(grade.rating())}, {"grade", std::string(1, grade.letter)},
                       {"score", std::round(grade.score * 1000) / 1000}, {"mode", mode}, {"lang", language == Language::zh ? "zh" : "en"}};
  if (attempt.confidence > 0) out["confidence"] = attempt.confidence;
  if (attempt.seconds > 0) out["seconds"] = std::round(attempt.seconds);
  if (grade.error) out["error"] = std::round(*grade.error * 10000) / 10000;
  out["missed"] = grade.missed;
  out["fatal"] = Progress::Record::array();
  for (std::size_t i = 0; i < attempt.fatal.size(); ++i)
    if (attempt.fatal[i]) out["fatal"].push_back(i);
  return out;
}

std::optional<Day> interview_of(const std::vector<Progress::Record>& records, Day today) {
  std::optional<Day> out;
  for (const auto& record : records)
    if (text_of(record, "kind") == "setting" && text_of(record, "name") == "interview") out = parse_day(text_of(record, "value"));
  return out && *out >= today ? out : std::nullopt;
}

Progress::Record interview_record(const std::optional<Day>& day) {
  return {{"kind", "setting"}, {"name", "interview"}, {"value", day ? Progress::Record(to_string(*day)) : Progress::Record(nullptr)}};
}

Progress::Record proved_record(const Card& card) { return {{"kind", "proved"}, {"card", card.id}}; }

}  // namespace p2plab::content
