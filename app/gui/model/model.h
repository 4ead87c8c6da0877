// What the window knows, without a window: where the learner is, which run is set up, the guide's step.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/check/demo_run.h"
#include "app/content/text.h"
#include "app/gui/model/walkthrough.h"

namespace p2plab::gui {

enum class Place { lessons, demos, labs, claims, drill, traces };
constexpr int kPlaces = 6;
/// "lessons" …: part of the text ids.
std::string_view to_string(Place place);
std::optional<Place> parse_place(std::string_view word);

enum class Tab { numbers, wait_for, bytes, log, code, timeline };  // timeline: only where it has no place of its own
/// The word of the walkthroughs: "numbers", "wait-for", …
std::string_view to_string(Tab tab);
std::optional<Tab> parse_tab(std::string_view word);

/// The conditions of a run that are no knobs of the demo.
struct Conditions {
  int ranks = 0;
  std::string semantics = "mpi", backend = "host", link = "raw", compute = "paced";
  bool strict = false;
  std::uint64_t seed = 1;
  bool operator==(const Conditions&) const = default;
};

class Model {
 public:
  Model(std::vector<check::DemoManifest> demos, std::vector<Walkthrough> walkthroughs);

  Place place = Place::demos;
  Tab tab = Tab::numbers;
  bool show_diff = false;
  bool show_help = false;

  // The demo and its knobs. Each demo keeps its own settings.
  const std::vector<check::DemoManifest>& demos() const { return demos_; }
  std::size_t demo_index() const { return demo_; }
  const check::DemoManifest* demo() const { return demos_.empty() ? nullptr : &demos_[demo_]; }
  /// False when there is no such demo.
  bool choose_demo(std::string_view id);
  void choose_demo(std::size_t index);
  const std::string& knob(std::string_view id) const;
  /// Throws the Error of check::complete when the demo has no such knob or the value is not legal; then nothing changes.
  void set_knob(const std::string& id, const std::string& value);
  /// The backend, and what it alone decides: NCCL has its own semantics, and only a virtual clock has any number of ranks.
  void set_backend(const std::string& name);
  Conditions& conditions() { return settings_[demo_].conditions; }
  const Conditions& conditions() const { return settings_[demo_].conditions; }
  const std::map<std::string, std::string>& knobs() const { return settings_[demo_].knobs; }
  void reset_demo();
  /// Sets up what a saved run ran: its demo, knobs and conditions. False when there is no such demo; then nothing changes.
  bool adopt(const check::RunRequest& saved);
  /// What Run starts.
  check::RunRequest request() const;
  /// The region of the source that these knobs run.
  std::string variant() const;
  /// What the code pane can compare that variant with.
  struct Compared {
    std::string broken, fixed;
    bool operator==(const Compared&) const = default;
  };
  /// A broken variant and its fix; a variant that is not broken is the fix, of the broken one that was chosen before it.
  std::optional<Compared> compared() const;

  // The guide.
  const std::vector<Walkthrough>& walkthroughs() const { return walkthroughs_; }
  const Walkthrough* walkthrough() const { return guide_ ? &walkthroughs_[*guide_] : nullptr; }
  const Step* step() const { return guide_ ? &walkthroughs_[*guide_].steps[step_] : nullptr; }
  std::size_t step_index() const { return step_; }
  /// Each of these returns what the window must do on entering the step; nullptr when there is no further step.
  /// A step back sets everything as it would be when coming from the first step.
  const Step* start_walkthrough(std::size_t index);
  const Step* next();
  const Step* back();
  void leave_walkthrough() { guide_.reset(); }

 private:
  struct Settings {
    std::map<std::string, std::string> knobs;
    Conditions conditions;
    std::string broken;  ///< the broken variant that was chosen last; empty if none was
  };
  Settings defaults(std::size_t demo) const;
  void enter(std::size_t step);
  void apply(const Step& step);
  void note_broken(std::size_t demo, Settings& settings) const;

  std::vector<check::DemoManifest> demos_;
  std::vector<Walkthrough> walkthroughs_;
  std::vector<Settings> settings_;
  std::size_t demo_ = 0;
  std::optional<std::size_t> guide_;
  std::size_t step_ = 0;
};

}  // namespace p2plab::gui
