// The fenced blocks of a lesson that can be run or answered: ```demo, ```claim, ```sim and ```quiz, with TOML inside.
//
//   ```sim                                        ```demo
//   command = "1f1b -p 4 -m 8"                    demo = "deadlock"
//   ask = "How much of the step is bubble?"       set = { variant = "ordered" }
//   look = "metrics.bubble_ratio"                 ask = "Does it hang?"
//   value = "27.27 %"                             why = "…"
//   ```                                           ```
//   ```claim                                      ```quiz
//   claim = "one-f-one-b-bubble"                  question = "…"
//   ```                                           answers = ["…", "…"]
//                                                 right = 2
//                                                 why = "…"
#pragma once
#include <filesystem>
#include <optional>
#include <string_view>

#include "app/content/document.h"

namespace p2plab::content {

/// The kind that a fence's word names, if it is one of a live block.
std::optional<Live::Kind> live_kind(std::string_view word);
/// "demo", "claim", "sim", "quiz".
std::string_view to_string(Live::Kind kind);

/// Throws Error "lesson.broken" with file, line and what is wrong; `line` is that of the first line inside the fence.
Live parse_live(Live::Kind kind, const std::string& toml, const std::filesystem::path& file, int line);

/// The text behind "figure:" of a comment. Throws as above.
Figure parse_figure(std::string_view text, const std::filesystem::path& file, int line);

/// Words of a command line, separated by blanks; "quotes" keep together.
std::vector<std::string> command_words(std::string_view text);
/// The same as one line to be typed: with `p2plab` before it, quoted where a shell needs it.
std::string typed_command(const std::vector<std::string>& words);

}  // namespace p2plab::content
