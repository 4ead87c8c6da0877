// Type signatures (MPI 4.1, section 3.3.1) and sizes of messages: what was sent against what was to be received.
#pragma once
#include <string_view>
#include <vector>

#include "app/analysis/finding.h"

namespace p2plab::analysis {

enum class Match { same, alike, different };

/// Compares two streams of elements of which each side's text tells one period ("MPI_INT", or "MPI_INT:1,MPI_DOUBLE:2"), over
/// the first `bytes` bytes. MPI_PACKED matches everything; empty texts are not known and match. `alike`: other names of
/// the same element on this machine (MPI_INT and MPI_INT32_T).
Match compare_signatures(std::string_view a, std::string_view b, std::uint64_t bytes);

/// "type-mismatch" and "size-mismatch" over the messages of the trace; sites are sender, receiver.
std::vector<Finding> message_findings(const trace::Trace& trace);

}  // namespace p2plab::analysis
