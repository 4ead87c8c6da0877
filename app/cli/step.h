// Step mode of a lab: its ranks are real and held before each communication call.
#pragma once
#include "app/check/lab_check.h"
#include "app/cli/context.h"

namespace p2plab::cli {

/// One run of the learner's program with its largest size; keys let the ranks go. The exit status of a check that ended so.
int step_lab(const Context& context, const check::LabManifest& lab, const check::LabRequest& request);

}  // namespace p2plab::cli
