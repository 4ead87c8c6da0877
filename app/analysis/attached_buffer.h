// Buffered sends and the memory that the program has lent to MPI for them (MPI_Buffer_attach).
#pragma once
#include "app/analysis/finding.h"

namespace p2plab::analysis {

/// "invalid-argument": a buffered send that was begun when it and the messages before it that no receive had been posted for needed
/// more than the attached buffer has. MPI may send them at once and never notice; no program can count on that (MPI 4.1, section 3.6.1).
std::vector<Finding> attached_buffer_findings(const trace::Trace& trace);

}  // namespace p2plab::analysis
