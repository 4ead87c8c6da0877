// NCCL's unnamed eager limit: a send whose bytes fit into the channels' buffers is done before anybody receives it.
// The knob nccl_buffer bounds those bytes per ordered pair; with 0 every send waits for its receive.
#include <cstring>

#include "demos/p2p/runtime.h"

namespace p2p {

// Called with post_mutex_ held.
bool Runtime::buffer_send(Operation& operation) {
  if (!options.nccl_semantics || options.strict || hidden_buffer_ == 0) return false;
  reap_buffered();
  std::size_t used = operation.tensor.nbytes();
  for (const Buffered& buffered : buffered_) {
    if (buffered.peer == operation.peer) used += buffered.payload.nbytes();
  }
  if (used > hidden_buffer_) return false;
  Buffered buffered{operation.peer, operation.tensor.clone(), nullptr};
  buffered.pending = backend->send({buffered.payload.data(), buffered.payload.nbytes(), operation.peer,
                                    operation.tag, true});
  buffered_.push_back(std::move(buffered));
  return true;  // without a pending operation it counts as complete at the first test
}

void Runtime::reap_buffered() {
  std::erase_if(buffered_, [](const Buffered& buffered) { return buffered.pending->test(); });
}

}  // namespace p2p
