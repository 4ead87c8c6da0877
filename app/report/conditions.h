// Under which conditions a run was made, in one line: no number of ours is shown without it.
#pragma once
#include <string>

#include "app/content/text.h"
#include "app/trace/trace.h"

namespace p2plab::report {

/// "4 ranks · host (MPICH 4.0.2) · paced compute · raw link · seed 1 · schedule 1f1b · …"
std::string conditions(const trace::RunInfo& run, const content::Text& text);

}  // namespace p2plab::report
