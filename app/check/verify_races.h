// Races between messages: what else a wildcard could have matched, and whether it matters.
#pragma once
#include <optional>
#include <set>

#include "app/check/verify_judge.h"

namespace p2plab::check {

/// Each wildcard receive or probe of the run with each other source that had sent by then, behind the choices `forced`.
std::vector<std::vector<trace::ForcedMatch>> alternatives(const trace::Trace& trace, const std::vector<trace::ForcedMatch>& forced);

/// False when a forced wildcard never got its message: then no run of the program does that, and this one says nothing.
bool is_possible(const VerifyEvidence& evidence, const std::vector<trace::ForcedMatch>& forced);

/// Wildcards, by rank and number, of which the program asked for the source or tag: it can tell the messages apart.
using ToldApart = std::set<std::pair<int, int>>;

/// "message-race" if the two runs of the same program come to different ends.
std::optional<analysis::Finding> compare_outcomes(const VerifyEvidence& first, const RunJudgement& first_judgement, const VerifyEvidence& second,
                                                  const RunJudgement& second_judgement, const std::vector<trace::ForcedMatch>& forced, const ToldApart& told_apart);

}  // namespace p2plab::check
