// The state that views share while the window is open, and the few actions that buttons, keys and the guide all take.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/gui/claims_page.h"
#include "app/gui/lab_page.h"
#include "app/gui/lesson_page.h"
#include "app/gui/model/backends.h"
#include "app/gui/model/drill.h"
#include "app/gui/model/edit.h"
#include "app/gui/model/model.h"
#include "app/gui/model/session.h"
#include "app/gui/model/source.h"
#include "app/gui/ui.h"
#include "app/gui/widgets/timeline.h"

namespace p2plab::gui {

/// What the user set for the whole window.
struct Preferences {
  content::Language language = content::Language::en;
  report::Theme theme = report::Theme::dark;
  float scale = 1;
  bool motion = true;
};

/// "p2plab-1.png", the first of these that is not there yet.
std::filesystem::path next_file(const std::string& ending);

struct App {
  App(launch::Installation installation, std::vector<check::DemoManifest> demos, std::vector<Walkthrough> walkthroughs,
      std::vector<std::string> links)
      : model(std::move(demos), std::move(walkthroughs)), session(installation), backends(installation), labs(installation), lessons(installation), proof(installation), claims(std::move(installation)), links(std::move(links)) {}

  Model model;
  Session session;
  Backends backends;
  Drill drill;
  LabPage labs;
  LessonPage lessons;
  LessonPage proof;                          ///< runs what proves the card that is shown, in place
  ClaimsPage claims;
  std::vector<std::string> links;            ///< ids of assets/links.toml
  Preferences wanted;                        ///< taken up before the next frame
  TimelineWidget timeline;
  std::optional<bool> charts;                ///< charts instead of the timeline, or not; what the demo prefers until it is chosen
  int timeline_of = 0;                       ///< generation of the session that it shows
  trace::SpanId selected = trace::kNoIndex;
  trace::SpanId timeline_selected = trace::kNoIndex;  ///< what the timeline knows of
  std::optional<Zoom> zoom;                  ///< asked for, not yet carried out by the timeline
  bool zoom_pending_end = false;             ///< carry the zoom out once the run has ended
  Edit edit;                                 ///< "edit a copy and run it"
  Sources sources;
  int lit_line = -1;                         ///< the code pane's, to scroll when it changes
  float code_height = 0;                     ///< of the code pane's lines, to keep the lit one in sight when it changes
  float below_code = 0;                      ///< height of selection and verdict in the frame before: the code takes the rest
  bool seek_verdict = false;                 ///< bring the verdict card into view
  std::size_t shown_demo = 0;                ///< chosen in the frame before
  bool was_stacked = false;                  ///< timeline and tabs shared one place in the frame before
  bool tab_asked = false;                    ///< --tab was given
  std::string open_knob;                     ///< its popup opens in this frame
  std::size_t knob_turn = 0;                 ///< the knob that K opens next
  std::string typed;                         ///< what is being typed into a knob
  std::string refused;                       ///< why it was not taken
  std::string path_field;                    ///< typed in the place of traces
  bool focus_path = false;                   ///< give the keyboard to it
  std::optional<TextRef> kept_error;         ///< why the last run could not be kept
  std::string notice;                        ///< said for a moment, e.g. after copying
  double notice_until = 0;
  /// Says what is broken and therefore left out, the first of it in full.
  void tell(const Ui& ui, const std::vector<content::LeftOut>& left_out);
  bool file_demo_known = false;              ///< the opened trace's demo is installed
  bool file_unfinished = false;              ///< the opened trace ends within calls: its run was broken off
  nlohmann::ordered_json file_metrics;       ///< the opened trace's, when its demo is known
  bool only_rank = false;                    ///< the log shows one rank
  int log_rank = 0;
  std::size_t listed_demo = 0;               ///< its line was brought into sight in the list

  /// Starts a run with what is set up, or ends the one under way.
  void run_or_cancel() { session.running() ? session.cancel() : run(); }
  void run();
  void cancel() { session.cancel(); }
  /// Keeps what the run that has just ended measured, where resume cards and the evidence page find it: the newest of each demo
  /// and variant. A run on the virtual clock and one that was broken off are no measurements.
  void keep_run();
  /// Runs the edited copy instead of the demo's own program.
  void run_program(const std::filesystem::path& program);
  /// Carries out what a step of the guide asks for.
  void enter(const Step* step);
  void open(const std::filesystem::path& file);
  /// Writes the trace of the shown run, so far if it is under way, beside the learner's other files, and says where.
  void save_trace(const Ui& ui);
  /// Sets a demo up as the command says and goes there; `backend` is where it runs when the command names none.
  void open_demo(const std::vector<std::string>& command, const std::string& backend);
  /// A saved trace is what the window shows.
  bool shows_file() const { return model.place == Place::traces && !session.run() && !session.file().empty(); }
  /// The demo that the shown saved trace is of; nullptr when it is not installed.
  const check::DemoManifest* file_demo() const { return shows_file() && file_demo_known ? model.demo() : nullptr; }
  /// Another demo was chosen since the frame before: the run of the former one would be taken for its own.
  void follow_demo();
  /// Chooses that demo again when another one was looked at meanwhile.
  void follow_file();
  /// Puts text on the clipboard and says so.
  void copy(const Ui& ui, const std::string& text);
  /// Under which conditions the shown run was made; of the next run when there is none.
  std::string conditions(const content::Text& text) const;
  /// The command that repeats that run in a terminal; empty when there is none.
  std::string command() const;
};

}  // namespace p2plab::gui
