// Settings of the demos, and the steps of a walkthrough applied to them.
#include "app/gui/model/model.h"

#include <algorithm>
#include <array>

#include "app/gui/model/source.h"

namespace p2plab::gui {
namespace {
constexpr std::array<std::string_view, kPlaces> kPlaceNames{"lessons", "demos", "labs", "claims", "drill", "traces"};
constexpr std::array<std::string_view, 6> kTabNames{"numbers", "wait-for", "bytes", "log", "code", "timeline"};
}  // namespace

std::string_view to_string(Place place) { return kPlaceNames[static_cast<std::size_t>(place)]; }
std::string_view to_string(Tab tab) { return kTabNames[static_cast<std::size_t>(tab)]; }

std::optional<Place> parse_place(std::string_view word) {
  for (std::size_t i = 0; i < kPlaceNames.size(); ++i)
    if (kPlaceNames[i] == word) return static_cast<Place>(i);
  return std::nullopt;
}

std::optional<Tab> parse_tab(std::string_view word) {
  for (std::size_t i = 0; i < kTabNames.size(); ++i)
    if (kTabNames[i] == word) return static_cast<Tab>(i);
  return std::nullopt;
}

Model::Model(std::vector<check::DemoManifest> demos, std::vector<Walkthrough> walkthroughs)
    : demos_(std::move(demos)), walkthroughs_(std::move(walkthroughs)) {
  for (std::size_t i = 0; i < demos_.size(); ++i) settings_.push_back(defaults(i));
  if (settings_.empty()) settings_.emplace_back();
}

Model::Settings Model::defaults(std::size_t demo) const {
  Settings out;
  if (demo >= demos_.size()) return out;
  for (const auto& knob : demos_[demo].knobs) out.knobs[knob.id] = knob.default_value;
  out.conditions.ranks = demos_[demo].ranks;
  if (!demos_[demo].backends.empty()) out.conditions.backend = demos_[demo].backends.front();
  if (!demos_[demo].semantics.empty()) out.conditions.semantics = demos_[demo].semantics.front();
  note_broken(demo, out);
  return out;
}

void Model::note_broken(std::size_t demo, Settings& settings) const {
  const std::string now = variant_of(demos_[demo], settings.knobs);
  if (demos_[demo].fixes.contains(now)) settings.broken = now;
}

bool Model::choose_demo(std::string_view id) {
  for (std::size_t i = 0; i < demos_.size(); ++i) {
    if (demos_[i].id != id) continue;
    choose_demo(i);
    return true;
  }
  return false;
}

void Model::choose_demo(std::size_t index) {
  if (index >= demos_.size()) return;
  demo_ = index;
  place = Place::demos;
  show_diff = false;
}

const std::string& Model::knob(std::string_view id) const {
  static const std::string none;
  const auto& knobs = settings_[demo_].knobs;
  const auto found = knobs.find(std::string(id));
  return found == knobs.end() ? none : found->second;
}

void Model::set_knob(const std::string& id, const std::string& value) {
  if (!demo()) return;
  check::RunRequest wanted = request();
  wanted.knobs[id] = value;
  settings_[demo_].knobs = check::complete(*demo(), wanted).knobs;
  note_broken(demo_, settings_[demo_]);
}

void Model::set_backend(const std::string& name) {
  if (!demo()) return;
  auto& at = conditions();
  if (name == "nccl") at.semantics = "nccl";
  else if (at.backend == "nccl" && !demo()->semantics.empty()) at.semantics = demo()->semantics.front();
  if (name != "sim") at.ranks = std::min(at.ranks, demo()->max_ranks);
  at.backend = name;
}

void Model::reset_demo() { settings_[demo_] = defaults(demo_); }

bool Model::adopt(const check::RunRequest& saved) {
  if (saved.demo.empty() || !choose_demo(saved.demo)) return false;
  reset_demo();
  auto& at = conditions();
  if (saved.ranks > 0) at.ranks = saved.ranks;
  for (const auto& [from, to] : {std::pair{&saved.backend, &at.backend}, {&saved.semantics, &at.semantics}, {&saved.link, &at.link}, {&saved.compute, &at.compute}})
    if (!from->empty()) *to = *from;
  at.strict = saved.strict;
  at.seed = saved.seed;
  for (const auto& [id, value] : saved.knobs) {
    try {
      set_knob(id, value);
    } catch (const Error&) {  // a knob of another version of the demo
    }
  }
  return true;
}

check::RunRequest Model::request() const {
  check::RunRequest out;
  if (!demo()) return out;
  const auto& set = settings_[demo_];
  out.demo = demo()->id;
  out.ranks = set.conditions.ranks;
  out.backend = set.conditions.backend;
  out.semantics = set.conditions.semantics;
  out.link = set.conditions.link;
  out.compute = set.conditions.compute;
  out.strict = set.conditions.strict;
  out.seed = set.conditions.seed;
  out.knobs = set.knobs;
  return out;
}

std::string Model::variant() const { return demo() ? variant_of(*demo(), settings_[demo_].knobs) : std::string(); }

std::optional<Model::Compared> Model::compared() const {
  if (!demo()) return std::nullopt;
  const auto& fixes = demo()->fixes;
  const std::string now = variant();
  if (const auto fix = fixes.find(now); fix != fixes.end()) return Compared{now, fix->second};
  if (now.empty()) return std::nullopt;
  if (const auto& before = settings_[demo_].broken; !before.empty()) return Compared{before, now};
  for (const auto& [broken, fixed] : fixes)
    if (fixed == now) return Compared{broken, now};
  return std::nullopt;
}

const Step* Model::start_walkthrough(std::size_t index) {
  if (index >= walkthroughs_.size() || walkthroughs_[index].steps.empty()) return nullptr;
  guide_ = index;
  enter(0);
  return step();
}

const Step* Model::next() {
  if (!guide_ || step_ + 1 >= walkthrough()->steps.size()) return nullptr;
  enter(step_ + 1);
  return step();
}

const Step* Model::back() {
  if (!guide_ || step_ == 0) return nullptr;
  enter(step_ - 1);
  return step();
}

void Model::enter(std::size_t target) {
  // All steps so far are applied again, so that a step looks the same from either side.
  step_ = target;
  for (std::size_t i = 0; i <= target; ++i) apply(walkthroughs_[*guide_].steps[i]);
}

void Model::apply(const Step& step) {
  if (!step.demo.empty() && choose_demo(step.demo)) reset_demo();
  if (!demo()) return;
  auto& at = conditions();
  if (!step.backend.empty()) set_backend(step.backend);
  if (!step.semantics.empty()) at.semantics = step.semantics;
  if (!step.link.empty()) at.link = step.link;
  if (step.strict) at.strict = *step.strict;
  if (step.ranks) at.ranks = *step.ranks;
  for (const auto& [id, value] : step.set) settings_[demo_].knobs[id] = value;
  note_broken(demo_, settings_[demo_]);
  if (const auto wanted = parse_tab(step.tab)) tab = *wanted;
  show_diff = step.diff.value_or(false);
}

}  // namespace p2plab::gui
