// The copy lives in the learner's own folder; the compiler runs as a job, so the window never waits for it.
#include "app/gui/model/edit.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "app/launch/compile.h"
#include "app/trace/atomic_file.h"

namespace p2plab::gui {
namespace {

std::string read_all(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("gui.copy_failed", {{"file", file.string()}});
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::filesystem::path Edit::folder() {
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  const std::filesystem::path base = data && *data ? std::filesystem::path(data) : std::filesystem::path(home && *home ? home : "/tmp") / ".local/share";
  return base / "p2plab" / "copies";
}

void Edit::open(const check::DemoManifest& demo) {
  close();
  demo_ = std::filesystem::canonical(demo.folder);
  original_ = demo_ / demo.source;
  shares_ = demo.shares;
  copy_ = folder() / demo.id / std::filesystem::path(demo.source).filename();
  program_ = folder() / demo.id / ("demo-" + demo.id);
  if (!std::filesystem::exists(copy_)) restore();
  text = read_all(copy_);
  state_ = State::editing;
}

void Edit::close() {
  compiler_.reset();
  state_ = State::closed;
}

void Edit::restore() {
  text = read_all(original_);
  std::error_code none;
  std::filesystem::create_directories(copy_.parent_path(), none);
  trace::write_file(copy_, text);
  messages_.clear();
}

void Edit::build(const launch::Installation& installation) {
  trace::write_file(copy_, text);
  messages_.clear();
  compiler_.emplace(installation, launch::compile_job(installation, {demo_, original_.filename().string(), copy_, program_, shares_}));
  state_ = State::building;
}

bool Edit::poll() {
  if (!compiler_ || compiler_->poll()) return false;
  messages_ = compiler_->output(0, true).text();
  state_ = compiler_->status().exit_status == 0 ? State::built : State::failed;
  compiler_.reset();
  return true;
}

bool Edit::take_built() {
  if (state_ != State::built) return false;
  state_ = State::editing;
  return true;
}

}  // namespace p2plab::gui
