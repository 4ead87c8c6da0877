// How an answer is graded: by what the learner ticks, by a number, an order, a line or a deadlock brought about. Never by
// words found in free text.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "app/content/card.h"
#include "app/content/fsrs.h"

namespace p2plab::content {

struct Attempt {
  int confidence = 0;              ///< percent, said before the answer was shown; 0: not said
  std::vector<bool> points;        ///< ticked: I said this
  std::vector<bool> fatal;         ///< ticked: I said this, too
  bool proof = false;              ///< named a number with its conditions, or the run that shows it
  std::optional<bool> said_true;   ///< true-false
  std::optional<double> number;    ///< predict
  std::optional<int> line;         ///< spot-bug
  std::vector<int> order;          ///< order: indices of Card::steps in the learner's order
  bool deadlocked = false;         ///< cause-bug: brought about
  double seconds = 0;              ///< spoken; recorded, never graded
};

struct Grade {
  char letter = 'D';
  double score = 0;                ///< 0 … 1
  std::optional<double> error;     ///< predict: relative
  std::vector<std::size_t> missed; ///< points not said, the heaviest first
  bool good() const { return letter <= 'B'; }
  fsrs::Rating rating() const;     ///< D again, C hard, B good, A easy
  int quality() const;             ///< of SM-2: A 5, B 4, C 3, D 1
};

/// The rule: D below 40 % or with a fatal error, C below 70 %, B below 90 %, else A. Where points are ticked, an A also
/// takes proof; a true-false, a line or a deadlock counts half and the points the other half; a number scores 1 within its
/// tolerance and loses 2 points a percent beyond; an order scores its share of pairs in the right order.
Grade grade(const Card& card, const Attempt& attempt);
char letter_of(double score);

/// What the learner ticks. Of a number and an order the points only explain.
bool points_count(CardKind kind);

/// Whether what was typed or chosen is right: of a number, a line and a true-false that was answered; nothing of the others.
std::optional<bool> is_right(const Card& card, const Attempt& attempt);

/// "1/3", "33", "27.3 %", "1,024", "１１２": a number as people type it, with commas only between thousands. Nothing for what is none.
std::optional<double> parse_number(std::string_view text);
/// The same with a unit or without, in `unit`: of "112 MB", "0.112GB" and "112" each is 112 where that is MB; of "3/11" and "27.3 %"
/// 27.3 where it is "%". Nothing for a unit that cannot be made that one.
std::optional<double> parse_answer(std::string_view text, std::string_view unit);

/// Full-width characters, as Chinese input methods type them, as their plain twins; others as they are.
char32_t plain_character(char32_t character);

}  // namespace p2plab::content
