// Step mode: the ranks are real and held before each communication call; keys let them go.
#pragma once
#include <iosfwd>

#include "app/check/demo_run.h"
#include "app/check/lab_check.h"
#include "app/cli/context.h"
#include "app/launch/interrupt.h"

namespace p2plab::cli {

/// One run of the learner's program with its largest size. The exit status of a check that ended so.
int step_lab(const Context& context, const check::LabManifest& lab, const check::LabRequest& request);

/// What a run of a demo has to ask for to be stepped through. Throws Error "run.step_sim" on the virtual clock.
check::RunRequest stepped_request(check::RunRequest request);
/// Steps through a run that was started so, to its end; cancels it when the learner has had enough.
void step_demo(const Context& context, check::DemoRun& run, const launch::Interrupt& interrupt, std::ostream& out);

}  // namespace p2plab::cli
