// Runs that the learner has kept: JSON of `p2plab run` and `p2plab sim`, and saved traces. What a resume may quote.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/check/demo_results.h"
#include "app/content/text.h"

namespace p2plab::report {

struct SavedRun {
  std::filesystem::path file;
  std::string what;               ///< demo or schedule
  bool simulated = false;         ///< on a virtual clock: exact, and no measurement
  std::string cores, mpi;         ///< of its machine: "2", "MPICH 4.0.2"; empty when not recorded
  std::string conditions;         ///< in the words of the JSON, which both languages share: "1f1b · p 4 · m 8", "pipeline · host · ranks=4 · …"
  std::string command;            ///< that repeats it
  nlohmann::ordered_json json;    ///< has "metrics"
  std::vector<check::NumberSpec> numbers;  ///< as its demo declares them; may be empty
};

/// What DIR holds, newest first; files of other kinds are passed over. Traces are read with the manifests in `demos`.
std::vector<SavedRun> saved_runs(const std::filesystem::path& dir, const std::filesystem::path& demos);

/// The number at a path like "metrics.peak_in_flight.0"; of {"median": …} the median.
std::optional<double> number_at(const nlohmann::ordered_json& json, std::string_view path);

/// "I measured … on …", a paragraph a run, with its conditions and the command that repeats it. Names the folder they are from.
std::string evidence_page(const std::vector<SavedRun>& runs, const std::filesystem::path& folder, const content::Text& text);

}  // namespace p2plab::report
