// The labs as the window knows them: what is done of each, the one that is open with its task, its hints and its check.
// A check runs on a thread of its own, the same that the terminal runs; the window never waits for it.
#pragma once
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/check/file_watch.h"
#include "app/check/lab_diary.h"
#include "app/content/glossary.h"
#include "app/gui/model/editor.h"
#include "app/gui/model/lab_checking.h"
#include "app/gui/model/marked_terms.h"

namespace p2plab::gui {

/// What the page of a lab shows in its place for texts.
enum class LabText { task, hints, solution };

class Labs {
 public:
  explicit Labs(launch::Installation installation) : installation_(std::move(installation)) {}

  /// Another folder of labs than the installation's; before the first look at them.
  void use(const std::filesystem::path& folder) { chosen_ = folder.string(); }
  /// All labs, read on the first call; empty with error() when there are none.
  const std::vector<check::LabManifest>& all();
  /// Those whose lab.toml cannot be used, and why.
  const std::vector<check::BrokenLab>& broken() const { return broken_; }
  const check::LabState& state(const std::string& id) const;
  const std::optional<TextRef>& error() const { return error_; }
  /// Reads again what has been done: the terminal writes to the same diary.
  void refresh();

  /// By id, number or name; an unknown one sets error(). A check that runs is ended.
  void open(const std::string& word);
  void close();
  const check::LabManifest* lab() const { return lab_; }
  const check::LabManifest* neighbour(int by);
  /// Counts openings: whoever remembers something of a lab forgets it when this changes.
  int generation() const { return generation_; }

  /// The task in a language. Null with error() when it cannot be read.
  const content::Document* task(content::Language language);
  const std::vector<MarkedTerm>& terms(const content::Inlines& inlines) const { return terms_of(terms_, inlines); }
  LabText shown = LabText::task;

  // The learner's own folder. What goes wrong is problem(), what was done is said().
  /// Where his work is; empty when it is not begun.
  std::filesystem::path folder() const;
  std::filesystem::path file() const;
  /// Where start() would put it.
  std::filesystem::path folder_to_be() const;
  void start(content::Language language);
  void reset(content::Language language);
  void edit();
  /// How many rungs have been read.
  int hints() const;
  void next_hint();
  /// After a pass, or when it was asked for twice.
  bool may_see_solution() const;
  /// Shows it if it may be seen; else asks whether that is wanted: the next call shows it.
  void show_solution();
  bool solution_asked() const { return solution_asked_; }
  const std::string& solution() const { return solution_; }

  void check();
  void cancel();
  bool checking() const { return checking_ != nullptr; }
  const LabChecking* under_way() const { return checking_.get(); }
  /// Of the last check of this lab since it was opened.
  const std::optional<check::LabResult>& result() const { return result_; }
  const check::LabRequest& request() const { return request_; }
  /// Counts results.
  int results() const { return results_; }
  /// Checks again on every save.
  void watch(bool on);
  bool watches() const { return watch_.has_value(); }
  /// This file system tells nobody of changes.
  bool polls() const { return watch_ && watch_->polls(); }

  const std::optional<TextRef>& problem() const { return problem_; }
  const std::optional<TextRef>& said() const { return said_; }

  /// Looks after check, watch and editor; true when something changed. Never blocks.
  bool poll();
  /// Every character of the labs and of what the last check said, for the fonts.
  const std::string& characters();

 private:
  template <class Act>
  void attempt(Act act);
  void take_result();
  void forget_texts();

  launch::Installation installation_;
  std::string chosen_;
  std::optional<std::vector<check::LabManifest>> labs_;
  std::vector<check::BrokenLab> broken_;
  std::optional<content::Glossary> glossary_;
  std::map<std::string, check::LabState> states_;
  std::optional<TextRef> error_, problem_, said_;
  const check::LabManifest* lab_ = nullptr;
  std::map<content::Language, content::Document> tasks_;
  MarkedTerms terms_;
  std::string solution_, characters_;
  bool solution_asked_ = false, characters_known_ = false;
  std::unique_ptr<LabChecking> checking_;
  std::vector<std::unique_ptr<LabChecking>> ending_;  ///< of labs that were left: nobody waits for them
  std::optional<check::LabResult> result_;
  check::LabRequest request_;
  std::optional<check::FileWatch> watch_;
  bool again_ = false;                                ///< saved while a check was running
  Editor editor_;
  int generation_ = 0, results_ = 0;
};

}  // namespace p2plab::gui
