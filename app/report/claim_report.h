// What came of claims, as a page: the claim, its verdict, the number, the better sentence, the sources, and the pictures.
#pragma once
#include <string>
#include <vector>

#include "app/check/claim_run.h"
#include "app/content/sources.h"
#include "app/content/text.h"

namespace p2plab::report {

/// "the answer card, section 2", "often heard", "in print".
std::string claim_speaker(const content::Claim& claim, const content::Text& text);
/// What is seen, with the number put in; of a documented claim or one that is not shown here, why there is no number.
std::string claim_shows(const check::ClaimResult& result, const content::Text& text);
/// The titles of a claim's sources with their sections, and how far each was checked where it was not in the source itself.
std::vector<std::string> claim_sources(const content::Claim& claim, const std::vector<content::Source>& sources, const content::Text& text);
/// What came of it, in words: "confirmed"; of a counter-setting "as claimed, at this setting", or, where it decides another
/// sentence, that sentence with its outcome.
std::string claim_outcome(const check::ClaimResult& result, const content::Text& text);
/// The claim's own verdict and why, which for what holds under a condition is the condition. A run says what came of one
/// setting: with "refuted" alone nobody knows whether the claim is false or misleading.
std::string claim_verdict(const content::Claim& claim, const content::Text& text);
/// Where real MPI was asked for: "on sim" if the virtual clock ran, "a schedule" if nothing but a schedule was computed; else empty.
std::string claim_world(const check::ClaimResult& result, const content::Text& text);
/// How many ran on real MPI, how many stayed on the virtual clock and why, and how many are schedules; empty where nobody asked for real MPI.
std::string claim_worlds(const std::vector<check::ClaimResult>& results, const content::Text& text);
/// What the number of an experiment is, in words: "step time, first run over second".
std::string claim_number_name(const content::ClaimNumber& number, bool two_runs, const content::Text& text);
/// What the sentence says of that number: "step time, first run over second: at most 1.00 ×".
std::string claim_predicts(const content::Experiment& experiment, const content::Text& text);
/// "60 claims: 20 confirmed, …": each outcome with its count; of counter-settings, on which side each fell. Then how many claims have which verdict.
std::string claim_counts(const std::vector<check::ClaimResult>& results, const content::Text& text);

/// HTML, without script or network. `missing`: why there are fewer results than were asked for, which the page says first; may be empty.
std::string claim_page(const std::vector<check::ClaimResult>& results, const std::vector<content::Source>& sources, const content::Text& text, const std::string& missing);

}  // namespace p2plab::report
