// Turns the command line parser's complaints into one clear sentence with what was probably meant.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/context.h"
#include "app/trace/error.h"

namespace p2plab::cli {

/// The Error for what the parser refused; exit status 2. `words` are those of command_line(): an option is named as it
/// was written.
Error usage_error(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& words);

/// Asking for help of a command that does not exist is a mistake, too; nothing where the help is due.
std::optional<Error> misplaced_help(const CLI::App& app);

/// The words of the command line, in reverse as the parser takes them. The value of an option whose value is a command
/// line of its own (--args, --cflags) may begin with a dash, or be empty.
std::vector<std::string> command_line(int argc, char** argv);

/// Refuses an empty file name, which would otherwise mean that no file was asked for.
CLI::Validator file_name(const Context& context);

}  // namespace p2plab::cli
