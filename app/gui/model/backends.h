// Which backends a demo may be run on here and now, and why not on the others. What takes time is asked beside the window.
#pragma once
#include <future>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "app/check/demo_manifest.h"
#include "app/launch/installation.h"

namespace p2plab::gui {

struct BackendChoice {
  std::string name;
  bool asking = false;              ///< not known yet
  std::optional<TextRef> why_not;   ///< it cannot be had
  bool usable() const { return !asking && !why_not; }
  /// No GPU has run it so far; said where it is offered.
  bool unproven() const { return name == "cuda" || name == "nccl"; }
};

class Backends {
 public:
  explicit Backends(launch::Installation installation) : installation_(std::move(installation)) {}
  /// All there are, in their order. Never blocks.
  std::vector<BackendChoice> of(const check::DemoManifest& demo, int ranks);
  /// Waits for every answer that is outstanding.
  void wait() const;

 private:
  using Answer = std::shared_future<std::optional<TextRef>>;
  launch::Installation installation_;
  std::map<std::tuple<std::string, int, int>, Answer> answers_;  ///< by backend, ranks and the demo's least
};

}  // namespace p2plab::gui
