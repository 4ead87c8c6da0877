// What is due: the review log read through FSRS-6, for every day or towards an interview's date.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/content/card.h"
#include "app/content/day.h"
#include "app/content/fsrs.h"
#include "app/content/grade.h"
#include "app/content/progress.h"
#include "app/content/sm2.h"

namespace p2plab::content {

constexpr int kLeechLapses = 4;    ///< so many misses, and its evidence is opened instead of asking again
constexpr int kLastDays = 3;       ///< before an interview, in which every card comes once
constexpr int kNewCardsADay = 15;  ///< without a date

struct CardState {
  std::optional<fsrs::Memory> memory;  ///< nothing: never asked
  sm2::Memory sm2;
  Day first{}, last{}, due{};
  int reviews = 0;
  int lapses = 0;                      ///< misses since its evidence was last opened
  char letter = 0;                     ///< last grade
  bool leech() const { return lapses >= kLeechLapses; }
};

struct CalibrationRow {
  int confidence = 0;  ///< percent
  int answers = 0, right = 0;
};

struct PlanOptions {
  std::string topic;                 ///< empty: all
  double minutes = 20;
  std::optional<Day> interview;
  std::uint64_t seed = 1;
  Day today = content::today();
};

struct Plan {
  std::vector<const Card*> cards;    ///< in the order to ask
  std::vector<const Card*> leeches;  ///< to be proven, not asked
  int due = 0, fresh = 0;            ///< of all that is due and new today, before the minutes cut it
  bool cut = false;                  ///< the minutes were too few for all of it
};

class Deck {
 public:
  /// Reads the records of kind "review" and "proved"; others, and cards that are no longer there, are passed over.
  Deck(const Cards& cards, const std::vector<Progress::Record>& records);

  const CardState& state(const Card& card) const { return states_.at(card.id); }
  /// The day on which the card comes next. With an interview: by then capped so that it comes once in the last three
  /// days; nothing once that is done. A card never asked is due on its own day of the days before those.
  std::optional<Day> due(const Card& card, const std::optional<Day>& interview, Day today) const;
  /// Throws Error "drill.no_topic" and "drill.date_past".
  Plan plan(const PlanOptions& options) const;
  /// Answers with a stated confidence, by confidence.
  const std::vector<CalibrationRow>& calibration() const { return calibration_; }
  /// How many cards come on each of the days from `from` on, those of the last three days before an interview included.
  std::vector<int> load(Day from, int days, const std::optional<Day>& interview, Day today) const;

 private:
  /// Its day among the last three.
  Day last_day(const Card& card, Day interview) const;
  const Cards& cards_;
  std::map<std::string, CardState, std::less<>> states_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::map<std::string, std::size_t, std::less<>> fresh_;  ///< of a card never asked: its place among those
  std::vector<CalibrationRow> calibration_;
};

/// The record of one answered card. mode: "drill" or "mock".
Progress::Record review_record(const Card& card, const Attempt& attempt, const Grade& grade, std::string_view mode, Language language);
/// The record of evidence opened.
Progress::Record proved_record(const Card& card);

/// The interview's day as last set by record kind "setting"; nothing when it was cleared or has passed.
std::optional<Day> interview_of(const std::vector<Progress::Record>& records, Day today);
Progress::Record interview_record(const std::optional<Day>& day);

/// One of 0 … n − 1, the same on every machine (the standard's distributions are not).
std::size_t draw(std::uint64_t& state, std::size_t n);

}  // namespace p2plab::content
