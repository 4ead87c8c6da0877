// p2plab claim: the group of what can be done with one claim, or with all.
#include "app/cli/commands.h"

namespace p2plab::cli {

void add_claim(CLI::App& app, Context& context) {
  CLI::App* group = app.add_subcommand("claim", context("help.claim"));
  group->require_subcommand(1);
  group->footer(context("help.claim_examples"));
  add_claim_show(*group, context);
  add_claim_run(*group, context);
}

}  // namespace p2plab::cli
