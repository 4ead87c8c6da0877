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
void add_cards(CLI::App& app, Context& context);
void add_drill(CLI::App& app, Context& context);
void add_mock(CLI::App& app, Context& context);
void add_bench(CLI::App& app, Context& context);  ///< the group; its members are listed in bench.cpp
void add_labs(CLI::App& app, Context& context);     ///< `labs` and `next`
void add_start(CLI::App& app, Context& context);    ///< `start` and `reset`
void add_check(CLI::App& app, Context& context);
void add_watch(CLI::App& app, Context& context);
void add_hint(CLI::App& app, Context& context);     ///< `hint` and `solution`
void add_lab(CLI::App& app, Context& context);      ///< the group `lab`, for teachers
void add_claims(CLI::App& app, Context& context);
void add_claim(CLI::App& app, Context& context);    ///< the group `claim`; its members:
void add_claim_show(CLI::App& group, Context& context);
void add_claim_run(CLI::App& group, Context& context);

/// `p2plab cc` and `p2plab c++` with the compiler's own words; its exit status.
int compile_for_verify(const launch::Installation& installation, bool cpp, const std::vector<std::string>& words);

}  // namespace p2plab::cli
