// What a call of the runtime is called in the field: MPI_Send for "send" under MPI's rules, ncclSend under NCCL's.
// Traces keep the runtime's own names; findings and the wait-for graph speak the learner's.
#pragma once
#include <string>
#include <vector>

#include "app/analysis/finding.h"

namespace p2plab::check {

/// "MPI_Send", "MPI_Wait", "ncclGroupEnd", …; the span's own name where the field has no other.
std::string call_word(const trace::Trace& trace, trace::SpanId span);
/// "MPI_COMM_WORLD" for the world of the runtime under MPI's rules; other names stay.
std::string comm_word(const trace::Trace& trace, const std::string& comm);
/// Puts both into the sites of findings.
void use_words_of_the_field(const trace::Trace& trace, std::vector<analysis::Finding>& findings);

}  // namespace p2plab::check
