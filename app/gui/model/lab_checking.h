// A check of a lab beside the window: on a thread of its own, looked after by polling.
#pragma once
#include <atomic>
#include <future>
#include <mutex>
#include <optional>

#include "app/check/lab_check.h"

namespace p2plab::gui {

class LabChecking {
 public:
  /// Starts at once.
  LabChecking(launch::Installation installation, check::LabManifest lab, std::filesystem::path work);
  /// Ends whatever runs, and waits for that.
  ~LabChecking();
  LabChecking(const LabChecking&) = delete;
  LabChecking& operator=(const LabChecking&) = delete;

  void cancel() { stop_ = true; }
  bool cancelled() const { return stop_; }
  /// True once take() would not wait.
  bool over() const;
  const check::LabManifest& lab() const { return lab_; }
  const check::LabRequest& request() const { return request_; }
  /// The case that is running, and how many were begun before it; nothing while the work is compiled.
  std::optional<std::pair<check::LabCase, int>> now() const;
  /// Once. Throws what check_lab throws.
  check::LabResult take() { return result_.get(); }

 private:
  bool saw(const check::LabCase& how);

  launch::Installation installation_;
  check::LabManifest lab_;
  check::LabRequest request_;
  std::atomic<bool> stop_ = false;
  mutable std::mutex lock_;
  std::optional<check::LabCase> how_;
  int cases_ = 0;
  std::future<check::LabResult> result_;  ///< last: it reads all of the above
};

}  // namespace p2plab::gui
