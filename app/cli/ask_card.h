// One card at a terminal: the question and its clocks, confidence, the answer, what the learner ticks, the grade. The
// language can be switched at every prompt.
#pragma once
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/answers.h"
#include "app/cli/context.h"
#include "app/content/card.h"
#include "app/content/grade.h"
#include "app/report/saved_runs.h"
#include "app/report/terminal_timeline.h"

namespace p2plab::cli {

class AskCard {
 public:
  AskCard(Context& context, Answers& answers, const content::Cards& cards, std::vector<report::SavedRun> runs, std::uint64_t seed);

  /// Nothing when the learner quits, or the input ends, before the answer is complete.
  std::optional<content::Attempt> ask(const content::Card& card, const std::string& heading);
  /// The grade, and on request its proof; true: the proof was opened. `next`: one line on what comes now.
  bool show_grade(const content::Card& card, const content::Grade& grade, const std::string& next);
  bool quit() const { return quit_; }
  /// Runs the evidence as a command of its own and waits for it.
  void prove(const content::Card& card, const content::Evidence& evidence);
  /// A paragraph that fits the terminal.
  void say(const std::string& text, report::Ink ink = report::Ink::text, int indent = 0) const;

 private:
  using Show = std::function<void()>;
  enum class Read { key, line };
  /// Shows, asks and reads until there is an answer that is none of l, q and ?. Nothing: quit. After missed() the question,
  /// which stands above, is not asked again in full.
  std::optional<std::string> prompt(const Show& show, const std::string& question_id, Read read, const Params& params = {});
  /// Says that this is no answer here.
  void missed(const std::string& answer);
  /// Numbers of ticked entries; a: all. Nothing: quit.
  std::optional<std::vector<bool>> tick(const Show& show, const std::string& question_id, const std::vector<content::Twin>& entries);
  /// Enter is a no. Nothing: quit.
  std::optional<bool> yes_or_no(const std::string& question_id);
  void show_question(const content::Card& card, const std::string& heading) const;
  void show_answer(const content::Card& card, const content::Attempt& attempt) const;
  bool take_typed(const content::Card& card, const Show& show, content::Attempt& attempt);
  bool step_ranks(const content::Card& card, const Show& show, content::Attempt& attempt);
  content::Language language() const { return context_.text.language(); }

  Context& context_;
  Answers& answers_;
  const content::Cards& cards_;
  std::vector<report::SavedRun> runs_;
  std::uint64_t lots_;
  report::Terminal terminal_;
  std::vector<int> shuffled_;   ///< order: where each shown step stands in the right order
  bool quit_ = false;
  bool missed_ = false;         ///< the last answer was none
};

}  // namespace p2plab::cli
