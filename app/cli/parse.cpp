// See parse.h.
#include "app/cli/parse.h"

#include <algorithm>

#include "app/check/unknown.h"
#include "app/content/refused.h"

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

/// Commands that come with a later version: who has read of them is told so.
constexpr const char* kLater[] = {"p2plab trace", "p2plab bench import"};

bool awaits_command(const CLI::App& command) { return !command.get_subcommands([](const CLI::App*) { return true; }).empty(); }

Error unexpected(const CLI::App& app, const CLI::App& command, const std::string& name, const std::string& word) {
  std::vector<std::string> options, commands;
  add_words(command, options, commands);
  const std::string option = word.substr(0, word.find('='));  // of this command, but written before it
  if (std::find(options.begin(), options.end(), option) != options.end()) return Error("usage.option_before", {{"option", option}, {"command", name}});
  if (&command != &app) add_words(app, options, commands);
  if (word.starts_with("-")) return check::unknown("usage.unknown_option", word, options, {{"command", name}});
  if (!awaits_command(command)) return Error("usage.too_much", {{"value", word}, {"command", name}});
  const std::string whole = name + " " + word;
  if (std::find(std::begin(kLater), std::end(kLater), whole) != std::end(kLater)) return Error("usage.later", {{"command", whole}, {"parent", name}});
  if (&command != &app) {
    options.clear(), commands.clear();
    add_words(command, options, commands);
  }
  return check::unknown("usage.unknown_command", word, commands, {{"command", name}});
}

/// The option of this long name, here or in the commands above.
const CLI::Option* option_of(const CLI::App* command, const std::string& name) {
  for (; command != nullptr; command = command->get_parent())
    for (const CLI::Option* option : command->get_options())
      if (option->check_name(name)) return option;
  return nullptr;
}

/// How the command line spells this option: "-p", when its long name is --stages and the first is what was written.
std::string as_written(const CLI::App& command, const std::string& name, const std::vector<std::string>& words) {
  const CLI::Option* option = option_of(&command, name);
  if (option == nullptr) return name;
  std::vector<std::string> names;
  for (const auto& each : option->get_lnames()) names.push_back("--" + each);
  for (const auto& each : option->get_snames()) names.push_back("-" + each);
  for (const std::string& word : words)  // in reverse: the last one given counts
    for (const std::string& each : names)
      if (word == each || word.starts_with(each + "=") || (each.size() == 2 && word.starts_with(each))) return each;
  return name;
}

}  // namespace

Error usage_error(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& words) {
  std::string name;
  const CLI::App& command = innermost(app, name);
  const auto rest = app.remaining(true);
  const auto status = error.get_exit_code();
  const bool no_command = status == static_cast<int>(CLI::ExitCodes::RequiredError) && awaits_command(command);
  if (status == static_cast<int>(CLI::ExitCodes::ExtrasError) || (no_command && !rest.empty()))
    return unexpected(app, command, name, rest.empty() ? std::string(error.what()) : rest.front());
  if (no_command) {
    std::vector<std::string> options, commands;
    add_words(command, options, commands);
    return Error("usage.no_command", {{"command", name}, {"known", content::join(commands)}});
  }
  TextRef said = content::refused(error.what(), name);
  std::string what;  // is missing
  for (auto& [param, value] : said.params) {
    if (param != "option") continue;
    const CLI::Option* option = option_of(&command, value);
    if (said.id == "usage.no_number" && option != nullptr && option->get_expected_min() == 0) said.id = "usage.takes_none";
    if (said.id == "usage.missing" && option != nullptr) what = option->get_description();
    value = as_written(command, value, words);
  }
  if (said.id == "usage.missing") said.params.emplace_back("what", what);
  return Error(said.id, std::move(said.params));
}

std::optional<Error> misplaced_help(const CLI::App& app) {
  std::string name;
  const CLI::App& command = innermost(app, name);
  if (!awaits_command(command) || app.remaining(true).empty()) return std::nullopt;
  return unexpected(app, command, name, app.remaining(true).front());
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
