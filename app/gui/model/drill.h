// The drill and the mock interview as the window knows them: which card, how far the answer has come, what is due.
#pragma once
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/content/card.h"
#include "app/content/deck.h"
#include "app/content/grade.h"
#include "app/content/mock.h"
#include "app/content/progress.h"
#include "app/content/document.h"
#include "app/content/stepper.h"
#include "app/report/resume.h"

namespace p2plab::gui {

enum class DrillPhase { home, ask, confidence, answer, graded, report };

class Drill {
 public:
  /// Reads cards and progress the first time. What went wrong is error().
  void open(const std::filesystem::path& assets);
  /// Reads them from given places; for tests. Runs that were kept are looked for beside the progress, in "runs".
  void open(const std::filesystem::path& cards, const std::filesystem::path& progress);
  bool is_open() const { return cards_.has_value(); }
  const std::optional<TextRef>& error() const { return error_; }
  /// Cards that are broken, once.
  std::vector<content::LeftOut> take_left_out() { return std::exchange(left_out_, {}); }
  const std::optional<TextRef>& not_saved() const { return not_saved_; }

  const content::Cards& cards() const { return *cards_; }
  const content::Deck& deck() const { return *deck_; }
  const std::optional<content::Mock>& mock() const { return mock_; }
  DrillPhase phase() const { return phase_; }
  /// A card is being answered: keys belong to it.
  bool asking() const { return phase_ != DrillPhase::home; }

  // At home.
  /// Cards due and new today, of a topic or of all.
  content::Plan plan(const std::string& topic) const;
  std::optional<content::Day> interview() const { return interview_; }
  /// Days from today; 0 or less: none.
  void set_interview_in(int days);
  std::size_t chosen = 0;               ///< topic at home: 0 is all, then cards().topics()
  std::uint64_t seed = 1;
  int minutes = 20;                     ///< of a drill; 5 to 120
  void take_minutes(int by) { minutes = std::clamp(minutes + by, 5, 120); }
  std::optional<std::string> asked;     ///< a card that a link leads to, opened when the drill is drawn next

  void start_drill(const std::string& topic, double now);
  void start_mock(double now);
  /// One card alone; false when there is none of this id.
  bool start_card(std::string_view id, double now);
  void leave();

  /// Throws Error "file.unwritable".
  void export_progress(const std::filesystem::path& file) const { progress_->export_to(file); }
  /// Adds what is not here yet; how many records that were. Throws Error "progress.not_progress".
  int import_progress(const std::filesystem::path& file);

  /// All that cards can show, for the fonts.
  std::string characters() const;

  // A card.
  const content::Card& card() const { return *card_; }
  const content::Attempt& attempt() const { return attempt_; }
  const content::Grade& grade() const { return grade_; }
  std::string heading(const content::Text& text) const;  ///< "3 / 12", or minutes of a mock interview
  bool is_follow_up() const { return depth_ > 0; }
  double seconds(double now) const { return stopped_ ? *stopped_ : now - began_; }
  const std::string& typed() const { return typed_; }
  /// What is typed was given and is no answer.
  bool refused() const { return refused_; }
  const std::vector<int>& shuffled() const { return shuffled_; }
  const std::optional<content::Stepper>& stepper() const { return stepper_; }
  /// When the card comes next; nothing while it is not graded or will not come.
  std::optional<content::Day> due() const;

  void type(char32_t character);
  void erase();
  void say(bool truth);
  void step(int rank);
  void start_again();
  /// The answer is given, as far as its kind asks for one; false when it is not complete yet.
  bool give(double now);
  void be_sure(int percent);            ///< 0: would rather not say
  void toggle_point(std::size_t index);
  void toggle_fatal(std::size_t index);
  void toggle_proof() { attempt_.proof = !attempt_.proof; }
  void finish();
  void next(double now);
  /// The learner opens the evidence: it is noted, and returned.
  const content::Evidence* prove();
  std::optional<content::Live> proof;   ///< what proves this card and runs in place; gone with the card

  // A resume card.
  std::map<std::string, std::string> blanks;  ///< typed by the learner, by the blank's name
  /// The blanks with what was typed or measured. Good until the card or `blanks` change.
  std::vector<report::FilledBlank> filled() const { return report::fill_blanks(*card_, runs_, blanks); }
  /// Keeps what was typed.
  void save_blanks();

 private:
  void show(const content::Card* card, double now);
  void save(content::Progress::Record record);
  void read_progress();
  void read_blanks();

  std::optional<content::Cards> cards_;
  std::optional<content::Progress> progress_;
  std::filesystem::path demos_;
  std::vector<report::SavedRun> runs_;  ///< that may fill this card
  std::optional<content::Deck> deck_;
  std::optional<content::Mock> mock_;
  std::optional<content::Day> interview_;
  std::optional<TextRef> error_, not_saved_;
  std::vector<content::LeftOut> left_out_;
  DrillPhase phase_ = DrillPhase::home;
  content::Plan plan_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<std::string> answered_;
  const content::Card* card_ = nullptr;
  content::Attempt attempt_;
  content::Grade grade_;
  double began_ = 0;
  std::optional<double> stopped_;
  std::string typed_;
  bool refused_ = false;
  std::vector<int> shuffled_;
  std::optional<content::Stepper> stepper_;
  content::Language language_ = content::Language::en;

 public:
  void use(content::Language language) { language_ = language; }
};

}  // namespace p2plab::gui
