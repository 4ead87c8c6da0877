// Turns the command line parser's complaints into one clear sentence with what was probably meant.
#pragma once
#include <CLI/CLI.hpp>

#include "app/trace/error.h"

namespace p2plab::cli {

/// The Error for what the parser refused; exit status 2.
Error usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace p2plab::cli
