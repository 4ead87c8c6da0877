// A claim in a terminal: whole, or what came of its experiment.
#pragma once
#include <iosfwd>
#include <vector>

#include "app/check/claim_run.h"
#include "app/cli/context.h"
#include "app/content/sources.h"

namespace p2plab::cli {

/// One claim with everything that its file says.
void print_claim(const Context& context, const content::Claim& claim, const std::vector<content::Source>& sources, std::ostream& out, int fd);
/// The same for programs: the settings, and where in the JSON of their runs each number stands.
nlohmann::ordered_json claim_details(const content::Claim& claim);
/// What came of it: outcome, number, commands, the claim's own verdict, better sentence.
void print_claim_result(const Context& context, const check::ClaimResult& result, const std::vector<content::Source>& sources, std::ostream& out, int fd);
/// The same in short, among many.
void print_claim_line(const Context& context, const check::ClaimResult& result, const std::vector<content::Source>& sources, std::ostream& out, int fd);

}  // namespace p2plab::cli
