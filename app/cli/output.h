// Where results go: files that are there whole or not at all, JSON alone on stdout, everything for people beside it.
#pragma once
#include <initializer_list>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>

#include "app/content/twin.h"

namespace p2plab::cli {

/// stdout, or stderr when JSON alone goes to stdout.
std::ostream& people(const std::string& json_target);

/// Throws Error "file.unwritable" now rather than after the work. Empty and "-" are fine.
void require_writable(const std::string& target);

/// Called once the command line is accepted, before anything runs: each can be written, and none holds an earlier result any more. A run
/// that is killed or refused leaves no file, so nobody takes the last one's result for its own.
void begin_results(std::initializer_list<std::string> targets);

/// To stdout for "-", to a file otherwise, nowhere when empty.
void write_json(const std::string& target, const nlohmann::ordered_json& json);

/// A text in both languages; null when there is none.
nlohmann::ordered_json twin_json(const content::Twin& twin);

}  // namespace p2plab::cli
