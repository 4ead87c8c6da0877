// The result of a lab's check for the systems of a classroom: JUnit XML, and Gradescope's results.json.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "app/check/lab_check.h"

namespace p2plab::report {

/// One test case for each gate and check; points and seed are properties.
std::string lab_junit(const check::LabManifest& lab, const check::LabRequest& request, const check::LabResult& result, check::Disclosure disclosure, const content::Text& text);

/// Scores by weight out of 100, hidden checks as "hidden", the total honest.
nlohmann::ordered_json lab_gradescope(const check::LabManifest& lab, const check::LabRequest& request, const check::LabResult& result, check::Disclosure disclosure, const content::Text& text);

}  // namespace p2plab::report
