// What the command lines of p2plab and p2plab-gui share: the language is known before anything is parsed, and help is
// written in it. CLI11 is a library of headers, so this is one, too.
#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <regex>
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

  /// "N:FLOAT in [1 - 600]" is N, 1…600; that an option takes two words is seen by their names.
  std::string make_option_opts(const CLI::Option* option) const override {
    static const std::regex range(":(?:FLOAT|INT|UINT) in \\[([-0-9.e+]+) - ([-0-9.e+]+)\\]"), count(" x [0-9]+");
    return std::regex_replace(std::regex_replace(CLI::Formatter::make_option_opts(option), range, ", $1…$2"), count, "");
  }
  /// CLI11 counts bytes, a terminal columns.
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    std::string out = CLI::Formatter::make_option(option, is_positional);
    const std::string name = make_option_name(option, is_positional) + make_option_opts(option);
    const std::size_t at = out.find(name);
    if (at != std::string::npos && out.find(' ', at + name.size()) == at + name.size()) out.insert(at + name.size(), name.size() - columns_of(name), ' ');
    return out;
  }

 private:
  /// Chinese characters and full-width marks take two columns.
  static std::size_t columns_of(const std::string& text) {
    std::size_t out = 0;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if ((byte & 0xC0U) != 0x80U) out += (byte >= 0xE3 && byte <= 0xED) || byte == 0xEF ? 2 : 1;
    }
    return out;
  }
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
