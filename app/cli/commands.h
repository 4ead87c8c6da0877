// All subcommands, one file each. A subcommand adds itself to the app, sets Context::action in its callback, and takes
// every text from Context::text.
#pragma once
#include <CLI/CLI.hpp>

#include "app/cli/context.h"

namespace p2plab::cli {

void add_run(CLI::App& app, Context& context);
void add_demos(CLI::App& app, Context& context);
void add_sim(CLI::App& app, Context& context);
void add_schedules(CLI::App& app, Context& context);
void add_links(CLI::App& app, Context& context);
void add_lessons(CLI::App& app, Context& context);  ///< `lessons` and `lesson ID`
void add_doctor(CLI::App& app, Context& context);
void add_verify(CLI::App& app, Context& context);
void add_cc(CLI::App& app, Context& context);
void add_bench(CLI::App& app, Context& context);  ///< the group; its members are listed in bench.cpp

/// `p2plab cc` and `p2plab c++` with the compiler's own words; its exit status.
int compile_for_verify(const launch::Installation& installation, bool cpp, const std::vector<std::string>& words);

}  // namespace p2plab::cli
