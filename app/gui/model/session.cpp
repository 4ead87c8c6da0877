// One run at a time, or one file.
#include "app/gui/model/session.h"

#include "app/trace/perfetto.h"

namespace p2plab::gui {
namespace {

bool same_conditions(const check::RunRequest& a, const check::RunRequest& b) {
  return a.knobs == b.knobs && a.semantics == b.semantics && a.strict == b.strict && a.ranks == b.ranks &&
         a.backend == b.backend && a.link == b.link && a.compute == b.compute;
}

}  // namespace

void Session::start(const check::DemoManifest& demo, const check::RunRequest& request) {
  leave();  // the old job is gone before the new one begins
  opened_.reset();
  opened_graph_.reset();
  file_.clear();
  error_.reset();
  ++generation_;
  try {
    run_ = std::make_unique<check::DemoRun>(installation_, demo, request);
    remembered_ = false;
  } catch (const Error& error) {
    error_ = error.text();
  }
}

void Session::cancel() {
  if (running()) run_->cancel();
}

void Session::leave() {
  if (run_ && run_->judging()) being_judged_.push_back(std::move(run_));
  run_.reset();
}

void Session::clear() {
  if (running()) return;
  run_.reset();
  opened_.reset();
  opened_graph_.reset();
  file_.clear();
  ++generation_;
}

void Session::open(const std::filesystem::path& file) {
  auto opened = std::make_unique<trace::Trace>(trace::open_perfetto(file));  // may throw: then what is shown stays
  leave();
  opened_ = std::move(opened);
  opened_graph_ = analysis::wait_for_graph(*opened_);
  file_ = file;
  error_.reset();
  remembered_ = true;
  ++generation_;
}

bool Session::poll() {
  std::erase_if(being_judged_, [](const auto& run) { return run->poll(), run->finished(); });
  if (!run_) return false;
  const bool was_running = !run_->finished();
  bool changed = was_running && run_->poll();
  if (run_->finished() && !remembered_) {
    remembered_ = changed = true;
    const auto& request = run_->request();
    Finished now{request.demo, request, run_->result().metrics};
    auto last = last_.find(request.demo);
    if (last != last_.end() && !same_conditions(last->second.request, request)) before_[request.demo] = last->second;
    last_[request.demo] = std::move(now);
  }
  return changed;
}

const trace::Trace* Session::trace() const { return run_ ? &run_->trace() : opened_.get(); }

const analysis::WaitForGraph* Session::wait_for() const {
  if (run_) return &run_->wait_for();
  return opened_graph_ ? &*opened_graph_ : nullptr;
}

const Finished* Session::previous() const {
  if (!run_) return nullptr;
  const auto found = before_.find(run_->request().demo);
  return found == before_.end() ? nullptr : &found->second;
}

}  // namespace p2plab::gui
