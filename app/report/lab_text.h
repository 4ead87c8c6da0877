// What a check of a lab has shown, as lines for people: expected, seen, where, and where to look.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "app/check/lab_check.h"

namespace p2plab::report {

/// Title of a gate or a check; of a hidden one only that it is hidden.
std::string lab_title(const check::LabManifest& lab, const check::LabOutcome& outcome, const content::Text& text);
/// "4 ranks, 64 KiB, every send synchronous".
std::string lab_case_text(const check::LabCase& how, const content::Text& text);
/// Of a failed one: sentence, findings, case, where to look; as much as is disclosed.
std::vector<std::string> lab_lines(const check::LabManifest& lab, const check::LabOutcome& outcome, check::Disclosure disclosure, const content::Text& text);
/// The stretch of time that shows the failure, with a little air; (0, 0) for the whole run.
std::pair<trace::Ns, trace::Ns> lab_window(const trace::Trace& trace, const check::LabOutcome& outcome);

}  // namespace p2plab::report
