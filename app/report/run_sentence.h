// What a run is said to have shown, in the words of demo.toml with the run's own numbers in them.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "app/check/demo_run.h"
#include "app/content/text.h"

namespace p2plab::report {

/// Each {metric} becomes that metric's value as people read it (of several runs the middle), "–" where there is none.
std::string with_numbers(std::string words, const nlohmann::ordered_json& metrics);

/// The same without the clauses (between semicolons) that speak of a number which this run did not measure.
std::string known_clauses(std::string_view words, const nlohmann::ordered_json& metrics);

/// The promise's sentence where it was kept; what the numbers say instead where they refute it; else nothing.
std::string run_sentence(const check::DemoManifest& demo, const check::RunResult& result, const content::Text& text);

}  // namespace p2plab::report
