// Where results go: files that are there whole or not at all, JSON alone on stdout, everything for people beside it.
#pragma once
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/cli/context.h"
#include "app/content/twin.h"

namespace p2plab::cli {

/// stdout, or stderr when JSON alone goes to stdout.
std::ostream& people(const std::string& json_target);

/// Throws Error "file.unwritable" now rather than after the work. Empty and "-" are fine.
void require_writable(const std::string& target);

/// Called once the command line is accepted, before anything runs: each can be written, and none holds an earlier result any more. A run
/// that is killed or refused leaves no file, so nobody takes the last one's result for its own. What is also an input is let alone.
void begin_results(std::initializer_list<std::string> targets, const std::vector<std::string>& inputs = {});

/// Does each, also where one before it has failed (one file that cannot be written keeps no other from being written), and then throws what
/// the first one threw.
void do_each(std::initializer_list<std::function<void()>> parts);
/// A part of those: writes the file, where one was asked for, and says so.
std::function<void()> file_part(const Context& context, std::ostream& out, const std::string& file, std::function<void()> write);

/// To stdout for "-", to a file otherwise, nowhere when empty.
void write_json(const std::string& target, const nlohmann::ordered_json& json);

/// A text in both languages; null when there is none.
nlohmann::ordered_json twin_json(const content::Twin& twin);

}  // namespace p2plab::cli
