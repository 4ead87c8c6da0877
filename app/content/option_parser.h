// What the command lines of p2plab and p2plab-gui share: the language is known before anything is parsed, and help is
// written in it. CLI11 is a library of headers, so this is one, too.
#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "app/content/text.h"

namespace p2plab::content {

/// What --lang asks for, else the environment. Throws Error "usage.language".
inline Language language_of(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--lang" && i + 1 < argc) return parse_language(argv[i + 1]);
    if (word.starts_with("--lang=")) return parse_language(word.substr(7));
  }
  return language_from_environment();
}

/// CLI11's help with the headings of the lab, one empty line where it leaves two, and the colon of the language.
class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(const Text& text) : colon_(text("help.colon")) {
    label("Usage", text("help.usage"));
    label("OPTIONS", text("help.options_mark"));
    label("SUBCOMMAND", text("help.subcommand_mark"));
    label("SUBCOMMANDS", text("help.subcommand_mark"));
    label("REQUIRED", text("help.required"));
    label("Positionals", text("help.positionals"));
    label("TEXT", "");  // says nothing
    column_width(34);
  }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    std::string out = CLI::Formatter::make_help(app, std::move(name), mode);
    const auto replace = [&out](const std::string& from, const std::string& to) {
      if (from == to) return;
      for (std::size_t at = 0; (at = out.find(from, at)) != std::string::npos;) out.replace(at, from.size(), to);
    };
    replace("\n\n\n", "\n\n");
    replace(":\n", colon_ + "\n");
    if (colon_ != ":") replace(get_label("Usage") + ": ", get_label("Usage") + colon_);
    return out;
  }

 private:
  std::string colon_;
};

/// Puts the option of help of `app` and of all its commands among the other options, in one language with them.
inline void settle_help(CLI::App& app, const Text& text) {
  if (app.get_help_ptr() != nullptr) app.get_help_ptr()->group(text("help.options"));
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    command->group(text("help.commands"));
    settle_help(*command, text);
  }
}

}  // namespace p2plab::content
