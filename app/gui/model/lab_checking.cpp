// See lab_checking.h.
#include "app/gui/model/lab_checking.h"

#include <tuple>

namespace p2plab::gui {
namespace {

auto key(const check::LabCase& how) { return std::tie(how.run, how.ranks, how.bytes, how.strict, how.access, how.delay); }

}  // namespace

LabChecking::LabChecking(launch::Installation installation, check::LabManifest lab, std::filesystem::path work)
    : installation_(std::move(installation)), lab_(std::move(lab)) {
  request_.work = std::move(work);
  request_.go_on = [this] { return !stop_; };
  result_ = std::async(std::launch::async, [this] {
    return check::check_lab(installation_, lab_, request_, [this](const trace::Trace&, const check::LabCase& how) { return saw(how); });
  });
}

LabChecking::~LabChecking() { stop_ = true; }  // and the future waits

bool LabChecking::over() const { return result_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }

bool LabChecking::saw(const check::LabCase& how) {
  const std::scoped_lock guard(lock_);
  if (!how_ || key(*how_) != key(how)) {
    how_ = how;
    ++cases_;
  }
  return !stop_;
}

std::optional<std::pair<check::LabCase, int>> LabChecking::now() const {
  const std::scoped_lock guard(lock_);
  if (!how_) return std::nullopt;
  return std::pair(*how_, cases_ - 1);
}

}  // namespace p2plab::gui
