// The lab checker: gates in their order, then a lab's own checks over the traces of all cases. No evidence, no pass.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>

#include "app/check/lab_run.h"
#include "app/content/text.h"

namespace p2plab::check {

struct LabRequest {
  std::filesystem::path work;      ///< the learner's file or folder
  std::uint64_t seed = 1;
  int jobs = 2;                    ///< cases that run at the same time
  int repeat = 1;                  ///< whole checks; differing verdicts are `unstable`
  bool hollow = false;             ///< look as well whether it would do to send nothing (LabResult::hollow)
  GoOn go_on{};                    ///< asked now and then, also while the work is compiled; false stops everything
};

/// One gate or check and what came of it.
struct LabOutcome {
  std::string id;
  bool gate = false, hidden = false;
  double weight = 0;
  analysis::Verdict verdict = analysis::Verdict::not_run;  ///< pass, fail or not-run
  analysis::Verdict cause = analysis::Verdict::fail;       ///< of a fail: the verdict that it gives the whole
  TextRef what{};                                          ///< of a fail: expected and seen; of not-run: which check stands before it
  std::vector<analysis::Finding> findings{};
  nlohmann::ordered_json wanted = nlohmann::ordered_json::object(), seen = nlohmann::ordered_json::object();
  std::vector<trace::SpanId> spans{};                      ///< that show it
  std::optional<LabCase> where{};                          ///< the case that failed
  std::shared_ptr<const trace::Trace> trace{};             ///< of that case: sites and spans are its
};

struct LabResult {
  analysis::Verdict verdict = analysis::Verdict::infra_error;
  TextRef why;                       ///< of infra-error, not-run and unstable
  double score = 0;                  ///< 0…1, by weight
  std::vector<LabOutcome> checks;    ///< gates, then checks in the lab's order
  std::string compiler_text;         ///< of build-error, and warnings
  TextRef advice;                    ///< of a pass: how the predictions do on real ranks; no part of the verdict
  TextRef cut;                       ///< that a run printed more than is kept; no part of the verdict
  std::vector<std::string> ignored;  ///< of the folder that was handed in
  std::string no_sandbox;            ///< why there was none: off, missing, refused; empty if there was one
  std::shared_ptr<const trace::Trace> trace;  ///< of the first failure, else of the first case; null if nothing ran
  std::vector<std::string> output;   ///< of the same case, by rank
  std::vector<std::string> hollow;   ///< runs in which it would do to send nothing, or empty messages
  int cases = 0;                     ///< that were run
  bool cancelled = false;
  bool no_work = false;              ///< a fail of the gate "files": there was nothing to look at
  bool missing = false;              ///< nothing bore the name that was given
  /// The first that failed; null if none did.
  const LabOutcome* first_failure() const;
  const LabOutcome* find(std::string_view id) const;
};

/// Called every few milliseconds with the trace of the case that goes on, and which it is; false stops everything.
using LabWatcher = std::function<bool(const trace::Trace& trace, const LabCase& how)>;

/// What is wrong with the work is a verdict. Throws Error with exit status 2 for what is wrong with the lab.toml, 3 when the lab cannot start a program.
LabResult check_lab(const launch::Installation& installation, const LabManifest& lab, const LabRequest& request, const LabWatcher& watcher = {});

/// Of a check that came to no end: nothing was looked at, and why.
LabResult without_verdict(const LabManifest& lab, TextRef why);

/// full: everything; actual_only: not what was wanted; none: verdicts alone. Hidden checks never tell more than verdicts.
enum class Disclosure { full, actual_only, none };

/// Of a failed one: what was seen alone, without what was expected; no id: its findings say it all.
TextRef seen_words(const LabOutcome& outcome);

/// The object of CONTRACTS.md "p2plab check", schema p2plab.check/1. With `text`, sentences in its language beside ids.
nlohmann::ordered_json to_json(const LabManifest& lab, const LabRequest& request, const LabResult& result, Disclosure disclosure, const content::Text* text = nullptr);

}  // namespace p2plab::check
