// See call_words.h. Programs under the probe already record MPI's names; they pass through.
#include "app/check/call_words.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace p2plab::check {

namespace {

struct Word {
  std::string_view runtime, mpi, nccl;
};

// NCCL has no barrier, and waits on the stream: what its row says is what CUDA calls it. An empty word: none fits.
constexpr std::array kWords{
    Word{"send", "MPI_Send", "ncclSend"},
    Word{"recv", "MPI_Recv", "ncclRecv"},
    Word{"isend", "MPI_Isend", "ncclSend"},
    Word{"irecv", "MPI_Irecv", "ncclRecv"},
    Word{"sendrecv", "MPI_Sendrecv", "ncclGroupEnd"},
    Word{"batch_isend_irecv", "", "ncclGroupEnd"},
    Word{"wait", "MPI_Wait", "cudaStreamWaitEvent"},
    Word{"wait_all", "MPI_Waitall", "cudaStreamWaitEvent"},
    Word{"wait for event", "", "cudaStreamWaitEvent"},
    Word{"synchronize", "", "cudaStreamSynchronize"},
    Word{"barrier", "MPI_Barrier", ""},
    Word{"broadcast", "MPI_Bcast", "ncclBroadcast"},
    Word{"all_reduce", "MPI_Allreduce", "ncclAllReduce"},
    Word{"reduce_scatter", "MPI_Reduce_scatter_block", "ncclReduceScatter"},
    Word{"all_gather", "MPI_Allgather", "ncclAllGather"},
    Word{"all_to_all", "MPI_Alltoall", ""},
};

bool nccl(const trace::Trace& trace) { return trace.run.semantics == "nccl"; }

/// A wait for a Work without a request of its own: for all of a group, or for a stream, which MPI does not know.
bool waits_for_requests(const trace::Trace& trace, trace::SpanId span) {
  const auto& targets = trace.wait_targets();
  return std::any_of(targets.begin(), targets.end(), [&](const trace::WaitTarget& target) { return target.wait == span && target.request >= 0; });
}

}  // namespace

std::string call_word(const trace::Trace& trace, trace::SpanId id) {
  const trace::Span& span = trace.span(id);
  const std::string& name = trace.name(span.name);
  if (!trace::is_communication(span.kind) && span.kind != trace::Kind::wait) return name;
  const auto word = std::find_if(kWords.begin(), kWords.end(), [&](const Word& each) { return each.runtime == name; });
  if (word == kWords.end()) return name;
  if (nccl(trace)) return word->nccl.empty() ? name : std::string(word->nccl);
  // Posting a batch is one MPI call for each of its operations.
  if (name == "batch_isend_irecv") return span.kind == trace::Kind::send ? "MPI_Isend" : "MPI_Irecv";
  if (name == "wait" && span.request < 0) return waits_for_requests(trace, id) ? "MPI_Waitall" : name;
  return word->mpi.empty() ? name : std::string(word->mpi);
}

std::string comm_word(const trace::Trace& trace, const std::string& comm) {
  return comm == "WORLD" && !nccl(trace) ? "MPI_COMM_WORLD" : comm;
}

void use_words_of_the_field(const trace::Trace& trace, std::vector<analysis::Finding>& findings) {
  for (analysis::Finding& finding : findings) {
    for (analysis::Site& site : finding.sites) {
      if (site.span < trace.spans().size()) site.call = call_word(trace, site.span);
      site.comm = comm_word(trace, site.comm);
    }
  }
}

}  // namespace p2plab::check
