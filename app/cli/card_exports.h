// --export KIND FILE and --import progress FILE, the same for `cards` and `drill`.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/context.h"

namespace p2plab::cli {

struct CardExports {
  std::vector<std::string> write;  ///< KIND FILE
  std::vector<std::string> read;   ///< progress FILE
  std::string runs;                ///< folder of saved runs; empty: the learner's
};

void add_card_exports(CLI::App& command, const Context& context, CardExports& exports);
/// Carries out what was asked for; the exit status, or nothing when nothing was.
std::optional<int> carry_out(const Context& context, const CardExports& exports);

}  // namespace p2plab::cli
