// --screenshot, --when-done, --after, --exit: which frame is the picture.
#pragma once
#include "app/gui/options.h"

namespace p2plab::gui {

class Shot {
 public:
  explicit Shot(const Options& options) : options_(options) {}
  bool wanted() const { return !options_.screenshot.empty() || options_.exit; }
  /// Once a frame; true when this is the one: what was waited for has happened, the last frame has left the view at rest
  /// (it glides when a run has ended), and so have the three frames before it.
  bool due(bool working, bool moving, double seconds) {
    if (!wanted() || done_) return false;
    if (options_.when_done && working) return false;
    if (options_.after && seconds < *options_.after) return false;
    settled_ = moving ? 0 : settled_ + 1;
    return settled_ > 3;
  }
  void taken() { done_ = true; }
  bool done() const { return done_; }

 private:
  const Options& options_;
  bool done_ = false;
  int settled_ = 0;
};

}  // namespace p2plab::gui
