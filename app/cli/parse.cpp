// See parse.h.
#include "app/cli/parse.h"

#include "app/check/unknown.h"

namespace p2plab::cli {

namespace {

/// The innermost subcommand that was recognised, and its full name ("p2plab bench record").
const CLI::App& innermost(const CLI::App& app, std::string& name) {
  const CLI::App* at = &app;
  name = app.get_name();
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    name += " " + at->get_name();
  }
  return *at;
}

void add_words(const CLI::App& app, std::vector<std::string>& options, std::vector<std::string>& commands) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(command->get_name());
  }
}

}  // namespace

Error usage_error(const CLI::App& app, const CLI::ParseError& error) {
  std::string name;
  const CLI::App& command = innermost(app, name);
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    std::vector<std::string> options, commands;
    add_words(command, options, commands);
    if (&command != &app) add_words(app, options, commands);
    const auto rest = app.remaining(true);
    const std::string word = rest.empty() ? std::string(error.what()) : rest.front();
    if (word.starts_with("-")) return check::unknown("usage.unknown_option", word, options, {{"command", name}});
    if (command.get_subcommands([](const CLI::App*) { return true; }).empty()) {
      return Error("usage.too_much", {{"value", word}, {"command", name}});
    }
    return check::unknown("usage.unknown_command", word, commands, {{"command", name}});
  }
  return Error("usage.refused", {{"what", error.what()}, {"command", name}});
}

std::optional<Error> misplaced_help(const CLI::App& app) {
  std::string name;
  const bool awaits_command = !innermost(app, name).get_subcommands([](const CLI::App*) { return true; }).empty();
  if (!awaits_command || app.remaining(true).empty()) return std::nullopt;
  return usage_error(app, CLI::ExtrasError(app.remaining(true)));
}

std::vector<std::string> command_line(int argc, char** argv) {
  std::vector<std::string> out;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    const bool takes_words = word == "--args" || word == "--cflags";
    if (takes_words && i + 1 < argc) word += "=" + std::string(argv[++i]);
    if (word == "--args=" || word == "--cflags=") continue;
    out.insert(out.begin(), std::move(word));
  }
  return out;
}

CLI::Validator file_name(const Context& context) {
  return CLI::Validator([&context](const std::string& name) { return name.empty() ? context("usage.empty_name") : std::string(); }, "");
}

}  // namespace p2plab::cli
