// The collectives, blocking and not. Each is described once; the blocking call is its non-blocking twin and a wait.
#include <tuple>

#include "demos/probe/collective.h"

namespace p2plab::probe {
namespace {

MPI_Count size_of(const Collective& call) { return call.arguments.comm == nullptr ? 0 : static_cast<MPI_Count>(call.arguments.comm->peers().size()); }

Collective barrier(const CallSite& where, MPI_Comm comm) { return {where, comm}; }

Collective bcast(const CallSite& where, void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  Collective call(where, comm);
  call.root(root);
  if (!call.ok() || call.arguments.comm->inter) return call;
  call.is_root() ? call.give(buffer, count, type) : call.take(buffer, count, type);
  return call;
}

Collective gather(const CallSite& where, const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type,
                  int root, MPI_Comm comm) {
  Collective call(where, comm);
  call.root(root);
  if (!call.ok() || call.arguments.comm->inter) return call;
  call.give(out, out_count, out_type);
  if (call.is_root()) call.take(in, in_count, in_type, size_of(call));
  return call;
}

Collective gatherv(const CallSite& where, const void* out, int out_count, MPI_Datatype out_type, void* in, const int counts[],
                   const int displacements[], MPI_Datatype in_type, int root, MPI_Comm comm) {
  Collective call(where, comm);
  call.root(root);
  if (!call.ok() || call.arguments.comm->inter) return call;
  call.give(out, out_count, out_type);
  if (call.is_root()) call.take_each(in, counts, displacements, in_type);
  return call;
}

Collective scatter(const CallSite& where, const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type,
                   int root, MPI_Comm comm) {
  Collective call(where, comm);
  call.root(root);
  if (!call.ok() || call.arguments.comm->inter) return call;
  if (call.is_root()) call.give(out, out_count, out_type, size_of(call));
  call.take(in, in_count, in_type);
  return call;
}

Collective scatterv(const CallSite& where, const void* out, const int counts[], const int displacements[], MPI_Datatype out_type, void* in,
                    int in_count, MPI_Datatype in_type, int root, MPI_Comm comm) {
  Collective call(where, comm);
  call.root(root);
  if (!call.ok() || call.arguments.comm->inter) return call;
  if (call.is_root()) call.give_each(out, counts, displacements, out_type);
  call.take(in, in_count, in_type);
  return call;
}

Collective allgather(const CallSite& where, const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
                     MPI_Datatype in_type, MPI_Comm comm) {
  Collective call(where, comm);
  call.give(out, out_count, out_type).take(in, in_count, in_type, size_of(call));
  return call;
}

Collective allgatherv(const CallSite& where, const void* out, int out_count, MPI_Datatype out_type, void* in, const int counts[],
                      const int displacements[], MPI_Datatype in_type, MPI_Comm comm) {
  Collective call(where, comm);
  call.give(out, out_count, out_type).take_each(in, counts, displacements, in_type);
  return call;
}

Collective alltoall(const CallSite& where, const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
                    MPI_Datatype in_type, MPI_Comm comm) {
  Collective call(where, comm);
  call.give(out, out_count, out_type, size_of(call)).take(in, in_count, in_type, size_of(call));
  return call;
}

Collective alltoallv(const CallSite& where, const void* out, const int out_counts[], const int out_displacements[], MPI_Datatype out_type,
                     void* in, const int in_counts[], const int in_displacements[], MPI_Datatype in_type, MPI_Comm comm) {
  Collective call(where, comm);
  call.give_each(out, out_counts, out_displacements, out_type).take_each(in, in_counts, in_displacements, in_type);
  return call;
}

Collective alltoallw(const CallSite& where, const void* out, const int out_counts[], const int[], const MPI_Datatype[], void*,
                     const int in_counts[], const int[], const MPI_Datatype[], MPI_Comm comm) {
  Collective call(where, comm);
  if (out != MPI_IN_PLACE) call.arguments.pointer(out_counts, "sendcounts");
  call.arguments.pointer(in_counts, "recvcounts");
  return call;
}

Collective reduce(const CallSite& where, const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  Collective call(where, comm);
  call.root(root).operation(op).equal(count, type);
  if (!call.ok() || call.arguments.comm->inter) return call;
  call.uses(out, count, type, false);
  if (call.is_root()) call.uses(in, count, type, true);
  return call;
}

Collective all_reduce(const CallSite& where, const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  Collective call(where, comm);
  call.operation(op).equal(count, type).uses(out, count, type, false).uses(in, count, type, true);
  return call;
}

Collective reduce_scatter(const CallSite& where, const void* out, void* in, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  Collective call(where, comm);
  call.operation(op).arguments.pointer(counts, "recvcounts");
  if (!call.ok()) return call;
  MPI_Count all = 0;
  for (std::size_t i = 0; i < call.arguments.comm->world.size(); ++i) all += counts[i];
  call.equal(all, type).uses(out, all, type, false);
  if (call.ok()) call.uses(in, out == MPI_IN_PLACE ? all : counts[call.arguments.comm->rank], type, true);
  return call;
}

Collective reduce_scatter_block(const CallSite& where, const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  Collective call(where, comm);
  call.operation(op).equal(count, type).uses(out, count * size_of(call), type, false).uses(in, count, type, true);
  return call;
}

/// A neighbourhood collective: who speaks with whom is the topology's matter, so only the call is compared.
template <class... Arguments>
Collective neighbours(const CallSite& where, Arguments... arguments) {
  return {where, std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...))};
}

}  // namespace
}  // namespace p2plab::probe

using namespace p2plab::probe;

// MPI_Name and MPI_Iname from one description and MPI's own non-blocking call; PARAMETERS and ARGUMENTS in brackets.
#define P2PLAB_BARE(...) __VA_ARGS__
#define P2PLAB_COLLECTIVE(Name, IName, describe, PARAMETERS, ARGUMENTS)                                         \
  P2PLAB_MPI int MPI_##Name(P2PLAB_BARE PARAMETERS) {                                                       \
    Collective call = describe({"MPI_" #Name, P2PLAB_CALLER}, P2PLAB_BARE ARGUMENTS);                       \
    return call.now([&](MPI_Request* request) { return PMPI_##IName(P2PLAB_BARE ARGUMENTS, request); }); \
  }                                                                                                         \
  P2PLAB_MPI int MPI_##IName(P2PLAB_BARE PARAMETERS, MPI_Request* request) {                             \
    Collective call = describe({"MPI_" #IName, P2PLAB_CALLER}, P2PLAB_BARE ARGUMENTS);                      \
    return call.later([&](MPI_Request* real) { return PMPI_##IName(P2PLAB_BARE ARGUMENTS, real); }, request); \
  }

P2PLAB_COLLECTIVE(Barrier, Ibarrier, barrier,
                  (MPI_Comm comm),
                  (comm))
P2PLAB_COLLECTIVE(Bcast, Ibcast, bcast,
                  (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
                  (buffer, count, type, root, comm))
P2PLAB_COLLECTIVE(Gather, Igather, gather,
                  (const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, int root, MPI_Comm comm),
                  (out, out_count, out_type, in, in_count, in_type, root, comm))
P2PLAB_COLLECTIVE(Gatherv, Igatherv, gatherv,
                  (const void* out, int out_count, MPI_Datatype out_type, void* in, const int counts[], const int displacements[], MPI_Datatype in_type, int root, MPI_Comm comm),
                  (out, out_count, out_type, in, counts, displacements, in_type, root, comm))
P2PLAB_COLLECTIVE(Scatter, Iscatter, scatter,
                  (const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, int root, MPI_Comm comm),
                  (out, out_count, out_type, in, in_count, in_type, root, comm))
P2PLAB_COLLECTIVE(Scatterv, Iscatterv, scatterv,
                  (const void* out, const int counts[], const int displacements[], MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, int root, MPI_Comm comm),
                  (out, counts, displacements, out_type, in, in_count, in_type, root, comm))
P2PLAB_COLLECTIVE(Allgather, Iallgather, allgather,
                  (const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, MPI_Comm comm),
                  (out, out_count, out_type, in, in_count, in_type, comm))
P2PLAB_COLLECTIVE(Allgatherv, Iallgatherv, allgatherv,
                  (const void* out, int out_count, MPI_Datatype out_type, void* in, const int counts[], const int displacements[], MPI_Datatype in_type, MPI_Comm comm),
                  (out, out_count, out_type, in, counts, displacements, in_type, comm))
P2PLAB_COLLECTIVE(Alltoall, Ialltoall, alltoall,
                  (const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, MPI_Comm comm),
                  (out, out_count, out_type, in, in_count, in_type, comm))
P2PLAB_COLLECTIVE(Alltoallv, Ialltoallv, alltoallv,
                  (const void* out, const int out_counts[], const int out_displacements[], MPI_Datatype out_type, void* in, const int in_counts[], const int in_displacements[], MPI_Datatype in_type, MPI_Comm comm),
                  (out, out_counts, out_displacements, out_type, in, in_counts, in_displacements, in_type, comm))
P2PLAB_COLLECTIVE(Alltoallw, Ialltoallw, alltoallw,
                  (const void* out, const int out_counts[], const int out_displacements[], const MPI_Datatype out_types[], void* in, const int in_counts[], const int in_displacements[], const MPI_Datatype in_types[], MPI_Comm comm),
                  (out, out_counts, out_displacements, out_types, in, in_counts, in_displacements, in_types, comm))
P2PLAB_COLLECTIVE(Reduce, Ireduce, reduce,
                  (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
                  (out, in, count, type, op, root, comm))
P2PLAB_COLLECTIVE(Allreduce, Iallreduce, all_reduce,
                  (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
                  (out, in, count, type, op, comm))
P2PLAB_COLLECTIVE(Reduce_scatter, Ireduce_scatter, reduce_scatter,
                  (const void* out, void* in, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
                  (out, in, counts, type, op, comm))
P2PLAB_COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, reduce_scatter_block,
                  (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
                  (out, in, count, type, op, comm))
P2PLAB_COLLECTIVE(Scan, Iscan, all_reduce,
                  (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
                  (out, in, count, type, op, comm))
P2PLAB_COLLECTIVE(Exscan, Iexscan, all_reduce,
                  (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
                  (out, in, count, type, op, comm))
P2PLAB_COLLECTIVE(Neighbor_allgather, Ineighbor_allgather, neighbours,
                  (const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, MPI_Comm comm),
                  (out, out_count, out_type, in, in_count, in_type, comm))
P2PLAB_COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv, neighbours,
                  (const void* out, int out_count, MPI_Datatype out_type, void* in, const int counts[], const int displacements[], MPI_Datatype in_type, MPI_Comm comm),
                  (out, out_count, out_type, in, counts, displacements, in_type, comm))
P2PLAB_COLLECTIVE(Neighbor_alltoall, Ineighbor_alltoall, neighbours,
                  (const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, MPI_Comm comm),
                  (out, out_count, out_type, in, in_count, in_type, comm))
P2PLAB_COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv, neighbours,
                  (const void* out, const int out_counts[], const int out_displacements[], MPI_Datatype out_type, void* in, const int in_counts[], const int in_displacements[], MPI_Datatype in_type, MPI_Comm comm),
                  (out, out_counts, out_displacements, out_type, in, in_counts, in_displacements, in_type, comm))
P2PLAB_COLLECTIVE(Neighbor_alltoallw, Ineighbor_alltoallw, neighbours,
                  (const void* out, const int out_counts[], const MPI_Aint out_displacements[], const MPI_Datatype out_types[], void* in, const int in_counts[], const MPI_Aint in_displacements[], const MPI_Datatype in_types[], MPI_Comm comm),
                  (out, out_counts, out_displacements, out_types, in, in_counts, in_displacements, in_types, comm))
