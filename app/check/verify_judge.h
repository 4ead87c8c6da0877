// From what was seen of one run to its findings and its verdict. The steps stand in the order in which one cause hides
// another.
#pragma once
#include "app/check/verify_run.h"

namespace p2plab::check {

struct RunJudgement {
  analysis::Verdict verdict = analysis::Verdict::infra_error;
  std::vector<analysis::Finding> findings;
  TextRef why;  ///< of infra-error
};

RunJudgement judge_run(const VerifyEvidence& evidence, SourceLines& lines);

/// True for a finding that explains how a run ended: behind it a hang, a crash or an exit status is no finding of its own.
bool is_cause(const analysis::Finding& finding);
bool is_proven(const analysis::Finding& finding);

}  // namespace p2plab::check
