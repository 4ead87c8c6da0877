// From what a demo measured to its charts and its table, as demo.toml asks for them.
#pragma once
#include <nlohmann/json.hpp>

#include "app/check/demo_manifest.h"
#include "app/check/links.h"
#include "app/content/text.h"
#include "app/report/chart.h"

namespace p2plab::report {

/// What a column holds, by its name: …_ns, bytes or …_bytes, …_bytes_per_s, …_ratio, …_times; else plain numbers.
Quantity quantity_of(std::string_view column);

/// A metric as people read it, in the unit that its name says.
std::string metric_words(std::string_view metric, const nlohmann::ordered_json& value);

/// The charts that have anything to show by now, and not the same as one before them. `metrics` holds the tables by name (check::metrics).
std::vector<Chart> result_charts(const check::DemoManifest& demo, const nlohmann::ordered_json& metrics, const std::vector<check::Link>& links,
                                 const content::Text& text);

/// A table of a demo as text: a head and its rows.
struct ResultTable {
  std::string title;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};
std::vector<ResultTable> result_tables(const check::DemoManifest& demo, const nlohmann::ordered_json& metrics, const content::Text& text);
/// Right-aligned columns, two spaces between them; words stand left. Lines end in '\n'.
std::string table_text(const ResultTable& table);

/// One of a demo's numbers, in its words; `beside` with the values of the metrics it names.
struct NumberWords {
  std::string title, value, beside;
};
NumberWords number_words(const check::NumberSpec& number, const nlohmann::ordered_json& metrics, const content::Text& text);

}  // namespace p2plab::report
