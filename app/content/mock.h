// A mock interview: 25 minutes, a weighted walk over topics, follow-ups by what the answers lack. The same seed and the
// same answers give the same interview.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "app/content/card.h"
#include "app/content/grade.h"

namespace p2plab::content {

struct Asked {
  const Card* card = nullptr;
  int depth = 0;              ///< 0: a new question; 1 … 3: a follow-up of the one before
  std::string because;        ///< id of the card whose answer led here
  bool answered = false;
  Attempt attempt;
  Grade grade;
};

class Mock {
 public:
  static constexpr int kMostFollowUps = 3;

  Mock(const Cards& cards, std::uint64_t seed, double minutes = 25);

  /// The next question, nullptr when the time is over or nothing is left to ask. The first is always a pitch.
  const Card* next();
  /// What became of it. `seconds` really gone; at least what such an answer takes is counted, so that an interview whose
  /// answers come from a file is as long as a spoken one.
  void answered(const Attempt& attempt, double seconds = 0);

  /// next() has said that the interview is over. One that was ended before is no whole interview, and its report says so.
  bool finished() const { return finished_; }
  const std::vector<Asked>& asked() const { return asked_; }
  double minutes() const { return minutes_; }
  double minutes_gone() const { return gone_ / 60; }
  std::uint64_t seed() const { return seed_; }

 private:
  const Card* choose();
  const Card* follow_up();
  const Card* from_topics();

  const Cards& cards_;
  std::uint64_t seed_, lots_;
  double minutes_, gone_ = 0;
  bool finished_ = false;
  std::vector<Asked> asked_;
  std::set<std::string> used_;
};

/// What the report says, in the order of weight.
struct MockResult {
  struct Missed {
    const Card* card;
    std::size_t point;
    int weight;
  };
  struct Fatal {
    const Card* card;
    std::size_t index;
  };
  struct TopicScore {
    std::string topic;
    int asked = 0;
    double score = 0;  ///< mean
  };
  int questions = 0, follow_ups = 0, deepest = 0;  ///< deepest: follow-ups in a row answered A or B
  std::map<char, int> letters;
  std::vector<Fatal> fatal;                        ///< errors said
  std::vector<Missed> missed;                      ///< the ten heaviest
  std::vector<TopicScore> topics;                  ///< the weakest first
  std::vector<const Card*> redo;                   ///< cards graded C or D, the weakest first
  double score = 0;                                ///< mean
};
MockResult result_of(const Mock& mock);

}  // namespace p2plab::content
