// `p2plab verify`: any MPI program, compiled, run several ways under the profiling layer, and judged over all runs.
#pragma once
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/analysis/finding.h"
#include "app/content/text.h"
#include "app/launch/installation.h"
#include "app/launch/job.h"
#include "app/trace/control.h"

namespace p2plab::check {

struct VerifyRequest {
  std::filesystem::path program;       ///< a source (.c .cc .cpp .cxx) or an executable
  int ranks = 2;
  std::vector<std::string> arguments;  ///< of the program
  std::vector<std::string> cflags;
  std::uint64_t seed = 1;
  int runs = 8;                        ///< at most
  double timeout_s = 60;               ///< of one run
  std::function<void(launch::JobSpec&)> compiler;  ///< what else the compiler is held to; may be empty
};

/// One run as it is told in the JSON.
struct VerifiedRun {
  bool strict = false;
  bool access = false;
  std::vector<trace::ForcedMatch> forced;
  analysis::Verdict verdict = analysis::Verdict::not_run;
  trace::Ns wall_ns = 0;
};

struct VerifyResult {
  analysis::Verdict verdict = analysis::Verdict::infra_error;  ///< pass, fail, build-error, unstable or infra-error
  TextRef why;                                                 ///< of build-error and infra-error
  std::string compiler_text;                                   ///< of build-error
  std::vector<analysis::Finding> findings;
  std::vector<VerifiedRun> runs;
  nlohmann::ordered_json metrics = nlohmann::ordered_json::object();
  trace::Trace trace;                                          ///< of the run that shows most
  bool instrumented = false;                                   ///< accesses were checked exactly, not only by hashes
};

/// Called every few milliseconds with the trace of the run that goes on; false stops everything.
using VerifyWatcher = std::function<bool(const trace::Trace& trace)>;

/// Throws Error with exit status 2 for a program that is not there or no MPI program, 3 when the lab cannot start it.
VerifyResult verify(const launch::Installation& installation, const VerifyRequest& request, const VerifyWatcher& watcher = {});

/// The object of CONTRACTS.md "p2plab verify", schema p2plab.verify/1.
nlohmann::ordered_json to_json(const VerifyRequest& request, const VerifyResult& result, const content::Text* text = nullptr);

}  // namespace p2plab::check
