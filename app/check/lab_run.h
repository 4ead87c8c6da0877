// One run of a learner's program as a case of its lab, on real ranks or on the virtual clock: limited, walled in, watched.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/check/lab_program.h"
#include "app/check/lab_rules.h"

namespace p2plab::check {

/// What was seen of it.
struct LabSeen {
  LabCase how;
  std::shared_ptr<const trace::Trace> trace;
  analysis::Verdict verdict = analysis::Verdict::not_run;  ///< of the run itself, before any rule
  std::vector<analysis::Finding> findings;
  TextRef why;                                             ///< of a verdict that no finding explains
  std::string gate = "finish";                             ///< that `why` closes
  std::vector<std::string> output;                         ///< stdout by rank, head and tail
  TextRef cut;                                             ///< that more was printed than is kept; no id: all was kept
};

class LabCaseRun {
 public:
  virtual ~LabCaseRun() = default;
  /// False once it is over.
  virtual bool poll() = 0;
  virtual void cancel() = 0;
  virtual const trace::Trace& trace() const = 0;
  /// Of the job, in shared memory; of real ranks only.
  virtual std::filesystem::path directory() const { return {}; }
  /// Once it is over.
  virtual LabSeen take() = 0;
};

class SourceLines;

/// Starts it. Throws Error as launch::Job does.
std::unique_ptr<LabCaseRun> start_case(const launch::Installation& installation, const LabManifest& lab, const LabProgram& program,
                                       const LabCase& how, LabDesk& desk, SourceLines& lines);
/// The lab's serial program, in one process, with the knobs of a case.
std::unique_ptr<LabCaseRun> start_reference(const launch::Installation& installation, const LabManifest& lab, const LabProgram& program,
                                            const LabCase& how, LabDesk& desk);

/// A program of the virtual clock on real ranks, for advice.
std::unique_ptr<LabCaseRun> start_real(const launch::Installation& installation, const LabManifest& lab, const LabProgram& program,
                                       const LabCase& how, LabDesk& desk);

/// All cases of a run, in the order in which they are judged: small before large, plain before strict before delayed. Delay
/// patterns are counted through the runs of the lab, so that those with one each do not all delay the same case.
std::vector<LabCase> cases_of(const LabManifest& lab, const LabRun& run, std::uint64_t seed);
/// p, n, the knobs of the case that are numbers, and the lab's own values.
LabValues values_of(const LabManifest& lab, const LabCase& how);

}  // namespace p2plab::check
