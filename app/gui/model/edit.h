// "Edit a copy and run it": the learner's copy of a demo's source, its text, and the build of it beside the window.
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "app/check/demo_manifest.h"
#include "app/launch/job.h"

namespace p2plab::gui {

class Edit {
 public:
  enum class State { closed, editing, building, failed, built };

  /// Copies the source into the learner's data folder unless a copy is there already. Throws Error "gui.copy_failed".
  void open(const check::DemoManifest& demo);
  void close();
  bool is_open() const { return state_ != State::closed; }
  State state() const { return state_; }
  /// Saves the text and starts to build it; the window goes on meanwhile.
  void build(const launch::Installation& installation);
  /// Looks after the compiler; true when something changed. Never blocks.
  bool poll();
  /// True once, when the program is ready to be run.
  bool take_built();
  /// Throws the copy away and starts over from the demo's source.
  void restore();

  std::string text;  ///< what the editor shows
  const std::filesystem::path& file() const { return copy_; }
  const std::filesystem::path& program() const { return program_; }
  const std::string& messages() const { return messages_; }  ///< of the compiler

  /// $XDG_DATA_HOME/p2plab/copies, or ~/.local/share/p2plab/copies.
  static std::filesystem::path folder();

 private:
  State state_ = State::closed;
  std::filesystem::path demo_, original_, copy_, program_;
  std::string shares_;  ///< DemoManifest::shares
  std::string messages_;
  std::optional<launch::Job> compiler_;
};

}  // namespace p2plab::gui
