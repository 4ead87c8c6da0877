// The exit status that a judged run of a demo gives to p2plab and to the window.
#pragma once
#include "app/check/demo_run.h"

namespace p2plab::check {

/// 0: the demo showed what it promised; 1: it did not; 3: the lab itself failed.
inline int exit_status(const RunResult& result) {
  if (result.verdict == analysis::Verdict::infra_error) return 3;
  return result.as_promised ? 0 : 1;
}

}  // namespace p2plab::check
