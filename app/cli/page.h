// Text on a page of the terminal: the one place where what is said to people is broken into lines.
#pragma once
#include <iosfwd>
#include <optional>
#include <string>

#include "app/report/terminal_timeline.h"

namespace p2plab::cli {

/// Writes paragraphs. For who looks at a screen they are broken between words into lines that it holds; a file or a pipe gets
/// each of them whole, so that it can be searched.
class Page {
 public:
  Page(const report::Terminal& terminal, std::ostream& out) : terminal_(terminal), out_(out) {}

  /// Every line begins `indent` columns to the right; those that go on a broken one `hang` further.
  void say(const std::string& words, int indent = 0, std::optional<report::Ink> ink = {}, bool bold = false, int hang = 0) const;
  /// Keeps the text's own indentation, also where a line is broken.
  void evidence(const std::string& line, int indent = 2) const;
  /// Whether a line of that many columns stays whole.
  bool fits(int wide) const { return !terminal_.screen || wide <= terminal_.columns; }

 private:
  const report::Terminal& terminal_;
  std::ostream& out_;
};

}  // namespace p2plab::cli
