// "Open in editor": the learner's own editor, beside the window and not under it.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/trace/error.h"

namespace p2plab::gui {

/// $VISUAL with its words, else xdg-open; empty when this machine has neither.
std::vector<std::string> editor_command();

class Editor {
 public:
  /// Starts the editor; it goes on when the window is closed.
  void open(const std::filesystem::path& file);
  /// True when there is something to say that was not there before. Never blocks.
  bool poll();
  /// Why the last attempt came to nothing: no editor, not started, or ended at once with an error.
  const std::optional<TextRef>& problem() const { return problem_; }

 private:
  std::vector<pid_t> started_;
  std::string name_;
  std::optional<TextRef> problem_;
};

}  // namespace p2plab::gui
