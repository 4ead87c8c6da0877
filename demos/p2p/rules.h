// For programs that run under both sets of rules: under MPI's a call is over when it returns, under NCCL's it has only been
// enqueued.
#pragma once
#include <string_view>

#include "demos/p2p/world.h"

namespace p2p {

/// Returns when all that was sent, received and computed so far is done: under MPI's rules at once.
void finish(World& world, Where where = Where::current());

/// Arithmetic between two messages, in program order with them: on the calling thread; under NCCL's rules on the stream
/// `compute`, which the next message waits for; on a GPU as a kernel, and under MPI's rules the caller waits for it.
void arithmetic(World& world, std::string_view name, const Kernel& kernel, Where where = Where::current());
/// Several kernels, one after the other, as one span of this kind and name.
void arithmetic(World& world, const ComputeLabel& label, std::vector<Kernel> kernels, Where where = Where::current());

}  // namespace p2p
