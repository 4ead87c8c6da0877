// Actions.
#include "app/gui/app.h"

#include <utility>

#include "app/check/metrics.h"
#include "app/gui/model/command.h"
#include "app/gui/model/sim_numbers.h"
#include "app/report/conditions.h"
#include "app/trace/atomic_file.h"
#include "app/trace/save_run.h"

namespace p2plab::gui {
namespace {

bool ends_within_calls(const trace::Trace& trace) {
  for (std::size_t i = 0; i < trace.spans().size(); ++i)
    if (trace.spans()[i].open()) return true;
  return false;
}

/// Of what is shown, or of what Run would start.
const check::DemoManifest* shown_manifest(const App& app) {
  if (app.session.run()) return &app.session.run()->demo();
  return app.shows_file() ? app.file_demo() : app.model.demo();
}

check::RunRequest shown_request(const App& app) {
  if (app.session.run()) return app.session.run()->request();
  const auto request = app.model.request();
  try {  // as it would be started: a virtual clock has its own link
    return app.model.demo() ? check::complete(*app.model.demo(), request) : request;
  } catch (const Error&) {
    return request;
  }
}

}  // namespace

std::filesystem::path next_file(const std::string& ending) {
  for (int n = 1;; ++n) {
    std::filesystem::path path = "p2plab-" + std::to_string(n) + ending;
    if (!std::filesystem::exists(path)) return path;
  }
}

void App::run() { run_program({}); }

void App::run_program(const std::filesystem::path& program) {
  if (!model.demo()) return;
  selected = trace::kNoIndex;
  auto request = model.request();
  request.program = program;
  session.start(*model.demo(), request);
}

void App::keep_run() {
  const auto* run = session.run();
  if (!run || !run->finished() || run->request().backend == "sim" || !run->request().program.empty() || run->result().verdict == analysis::Verdict::not_run) return;
  try {
    const auto folder = content::data_directory() / "runs";
    std::error_code none;  // the writing below says what is wrong
    std::filesystem::create_directories(folder, none);
    const auto& knobs = run->request().knobs;
    const auto variant = knobs.find("variant");
    const std::string name = "window-" + run->demo().id + (variant == knobs.end() ? "" : "-" + variant->second) + ".json";
    trace::write_file(folder / name, check::to_json(run->request(), run->demo(), run->result()).dump(2) + "\n");
  } catch (const Error& error) {
    kept_error = error.text();  // said where the number would have been used
  }
}

void App::enter(const Step* step) {
  if (!step) return;
  edit.close();
  if (step->run) run();
  zoom = step->zoom;
  zoom_pending_end = step->run && step->zoom.has_value();
}

void App::open(const std::filesystem::path& file) {
  try {
    session.open(file);
    selected = trace::kNoIndex;
    zoom = ZoomFit{};
    edit.close();
    model.leave_walkthrough();
    const auto saved = check::request_from(session.trace()->run);
    file_demo_known = model.adopt(saved);
    file_metrics = file_demo_known ? check::metrics(*model.demo(), saved, *session.trace()) : nlohmann::ordered_json::object();
    file_unfinished = ends_within_calls(*session.trace());
    if (file_unfinished) check::forget_step(file_metrics);
    if (is_simulated(session.trace()->run)) file_metrics = simulated_metrics(*session.trace());
    model.place = Place::traces;
  } catch (const Error& error) {
    session.set_error(error.text());
  }
}

void App::save_trace(const Ui& ui) {
  notice_until = ui.seconds + 3;
  if (!session.run()) {
    notice = ui.text("gui.no_run_to_save");
    return;
  }
  try {
    const auto file = next_file(".pftrace");
    trace::save_run(*session.trace(), file);
    notice = ui.text("gui.wrote", {{"file", file.string()}});
  } catch (const Error& error) {  // the window goes on
    notice = ui.text(error);
  }
}

void App::open_demo(const std::vector<std::string>& command, const std::string& backend) {
  const check::RunRequest request = request_of(command, backend);
  try {
    for (const auto& demo : model.demos())
      if (demo.id == request.demo) check::complete(demo, request);  // refuses; what it would fill in stays open for other settings
    if (model.adopt(request)) model.place = Place::demos;
  } catch (const Error& error) {
    session.set_error(error.text());
  }
}

void App::follow_demo() {
  const std::size_t now = model.demo_index();
  if (std::exchange(shown_demo, now) == now || !session.run() || session.run()->demo().id == model.demo()->id) return;
  session.clear();
  selected = trace::kNoIndex;
}

void App::follow_file() {
  if (!shows_file() || !file_demo_known || model.demo()->id == session.trace()->run.demo) return;
  model.adopt(check::request_from(session.trace()->run));
  model.place = Place::traces;
}

void App::copy(const Ui& ui, const std::string& text) {
  ImGui::SetClipboardText(text.c_str());
  notice = ui.text("gui.copied");
  notice_until = ui.seconds + 2;
}

void App::tell(const Ui& ui, const std::vector<content::LeftOut>& left_out) {
  if (left_out.empty()) return;
  notice = ui.text(left_out.front().why);
  if (left_out.size() > 1) notice += "  +" + std::to_string(left_out.size() - 1);
  notice_until = ui.seconds + 10;
}

std::string App::conditions(const content::Text& text) const {
  const auto* demo = shown_manifest(*this);
  if (const auto* trace = session.trace(); trace && trace->run.ranks > 0) return report::conditions(trace->run, text, demo);
  const auto request = shown_request(*this);
  trace::RunInfo info;
  info.demo = request.demo;
  info.ranks = request.ranks;
  info.backend = request.backend;
  info.semantics = request.semantics;
  info.compute = request.compute;
  info.link = request.link;
  info.strict = request.strict;
  info.seed = request.seed;
  info.knobs = request.knobs;
  return report::conditions(info, text, demo);
}

std::string App::command() const {
  const auto* demo = shown_manifest(*this);
  const bool file_of_another = demo == nullptr || (session.run() && !session.run()->request().program.empty());  // an edited copy is no demo
  return file_of_another ? std::string() : command_of(*demo, shown_request(*this));
}

}  // namespace p2plab::gui
