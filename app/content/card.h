// Drill cards: what an interviewer asks, what a good answer holds, and where it is proven. Read from assets/drill/*.toml,
// one file a topic, which a teacher can edit.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/content/left_out.h"
#include "app/content/twin.h"

namespace p2plab::content {

enum class CardKind { pitch, follow_up, pitfall, true_false, predict, spot_bug, cause_bug, order, resume };
constexpr int kCardKinds = 9;
/// "pitch", "follow-up", …: the word of the files and part of the text ids.
std::string_view to_string(CardKind kind);

/// One thing that a complete answer says.
struct KeyPoint {
  Twin text;
  int weight = 1;
  std::string ask;  ///< id of the card that is asked next when this is missing; may be empty
};

/// Where an answer is proven. kind: "demo", "sim", "claim", "lab" or "lesson".
struct Evidence {
  std::string kind, target;
  std::vector<std::string> arguments;  ///< demo: KNOB=VALUE and options of `run`; sim: options of `sim`
  /// The words after `p2plab` that open it.
  std::vector<std::string> command() const;
};

/// The number asked for, and what yields it: `p2plab` words whose JSON holds it, or a formula.
struct Prediction {
  double value = 0;
  double tolerance = 0;                ///< relative error that still counts as right
  std::string unit;
  std::vector<std::string> command;    ///< of `p2plab`, without --json
  std::string metric;                  ///< path in its JSON: "metrics.makespan_ns", "metrics.peak_in_flight.0"
  double scale = 1;                    ///< value = metric × scale
  std::string formula;                 ///< of `given`, with + - * / ^ ( )
  std::map<std::string, double> given;
};

/// A blank of a resume template that the learner fills from a run of their own.
struct Blank {
  std::string name;
  Twin what;          ///< what belongs here
  std::string metric; ///< of CONTRACTS "p2plab run", path in its JSON; empty: typed by hand
};

/// For whom a resume card is.
enum class Candidate { any, project, single_gpu, graduate };

struct Card {
  std::string id, topic;
  CardKind kind = CardKind::pitfall;
  std::vector<int> sentences;      ///< of the answer card, counted as assets/claims does
  std::vector<int> sections;       ///< of the answer card, 1…6
  std::string family;              ///< cards made after one pattern; siblings are not asked on one day
  Twin question, answer;
  Twin says;                       ///< the answer card's own wording, where `answer` corrects it
  std::vector<KeyPoint> points;
  std::vector<Twin> fatal;         ///< said aloud, each of these ends the discussion
  std::vector<Evidence> evidence;
  std::string source;              ///< standard section, paper section, page

  Twin two_minutes, five_minutes;  ///< pitch: `answer` is the version of 30 s
  bool holds = false;              ///< true-false
  Prediction prediction;           ///< predict
  std::string code;                ///< spot-bug: a short program, numbered from 1
  int line = 0;                    ///< spot-bug: where the fault is
  std::vector<std::string> ranks;  ///< cause-bug: a program a rank, see stepper.h
  int slots = 0;                   ///< cause-bug: messages that the library buffers for each receiver
  std::vector<Twin> steps;         ///< order: in the right order
  Candidate candidate = Candidate::any;  ///< resume
  Twin sentence;                   ///< resume: the template, with {blank}
  std::vector<Blank> blanks;       ///< resume

  int weight() const;              ///< sum of the points' weights
  /// Seconds that an answer may take: 30 headline, 120 explanation, 300 whiteboard.
  int seconds() const;
};

struct Topic {
  std::string id;
  Twin title;
  int weight = 1;  ///< how often a mock interview comes to it
};

class Cards {
 public:
  /// Reads DIR/*.toml. Throws Error "manifest.broken" (file, line, what) for a card that lacks a language or a field, has a
  /// field of another kind, whose languages differ in lines, numbers or blanks, or that names a follow-up which is not there.
  /// With `broken` such a card (of a follow-up: the question after it), or a file that cannot be read at all, is left out and told there.
  explicit Cards(const std::filesystem::path& dir, std::vector<LeftOut>* broken = nullptr);

  const std::vector<Card>& all() const { return cards_; }
  const std::vector<Topic>& topics() const { return topics_; }
  /// nullptr if there is none.
  const Card* find(std::string_view id) const;
  const Topic* topic(std::string_view id) const;

 private:
  std::vector<Card> cards_;
  std::vector<Topic> topics_;
};

}  // namespace p2plab::content
