// The collectives, blocking, non-blocking and persistent. Each is described once; the blocking call is its non-blocking twin
// and a wait.
#include <tuple>

#include "demos/probe/collective.h"

namespace p2plab::probe {
namespace {

MPI_Count size_of(const Collective& call) { return call.arguments.comm == nullptr ? 0 : static_cast<MPI_Count>(call.arguments.comm->peers().size()); }

Collective barrier(const CallSite& where, MPI_Comm comm) { return {where, comm}; }

template <class Count>
Collective bcast(const CallSite& where, void* buffer, Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  Collective call(where, comm);
  call.root(root);
  if (!call.ok() || call.arguments.comm->inter) return call;
  call.is_root() ? call.give(buffer, count, type) : call.take(buffer, count, type);
  return call;
}

template <class Count>
Collective gather(const CallSite& where, const void* out, Count out_count, MPI_Datatype out_type, void* in, Count in_count, MPI_Datatype in_type,
                  int root, MPI_Comm comm) {
  Collective call(where, comm);
  call.root(root);
  if (!call.ok() || call.arguments.comm->inter) return call;
  call.give(out, out_count, out_type);
  if (call.is_root()) call.take(in, in_count, in_type, size_of(call));
  return call;
}

template <class Count, class Place>
Collective gatherv(const CallSite& where, const void* out, Count out_count, MPI_Datatype out_type, void* in, const Count counts[],
                   const Place displacements[], MPI_Datatype in_type, int root, MPI_Comm comm) {
  Collective call(where, comm);
  call.root(root);
  if (!call.ok() || call.arguments.comm->inter) return call;
  call.give(out, out_count, out_type);
  if (call.is_root()) call.take_each(in, counts, displacements, in_type);
  return call;
}

template <class Count>
Collective scatter(const CallSite& where, const void* out, Count out_count, MPI_Datatype out_type, void* in, Count in_count, MPI_Datatype in_type,
                   int root, MPI_Comm comm) {
  Collective call(where, comm);
  call.root(root);
  if (!call.ok() || call.arguments.comm->inter) return call;
  if (call.is_root()) call.give(out, out_count, out_type, size_of(call));
  call.take(in, in_count, in_type);
  return call;
}

template <class Count, class Place>
Collective scatterv(const CallSite& where, const void* out, const Count counts[], const Place displacements[], MPI_Datatype out_type, void* in,
                    Count in_count, MPI_Datatype in_type, int root, MPI_Comm comm) {
  Collective call(where, comm);
  call.root(root);
  if (!call.ok() || call.arguments.comm->inter) return call;
  if (call.is_root()) call.give_each(out, counts, displacements, out_type);
  call.take(in, in_count, in_type);
  return call;
}

template <class Count>
Collective allgather(const CallSite& where, const void* out, Count out_count, MPI_Datatype out_type, void* in, Count in_count,
                     MPI_Datatype in_type, MPI_Comm comm) {
  Collective call(where, comm);
  call.give(out, out_count, out_type).take(in, in_count, in_type, size_of(call));
  return call;
}

template <class Count, class Place>
Collective allgatherv(const CallSite& where, const void* out, Count out_count, MPI_Datatype out_type, void* in, const Count counts[],
                      const Place displacements[], MPI_Datatype in_type, MPI_Comm comm) {
  Collective call(where, comm);
  call.give(out, out_count, out_type).take_each(in, counts, displacements, in_type);
  return call;
}

template <class Count>
Collective alltoall(const CallSite& where, const void* out, Count out_count, MPI_Datatype out_type, void* in, Count in_count,
                    MPI_Datatype in_type, MPI_Comm comm) {
  Collective call(where, comm);
  call.give(out, out_count, out_type, size_of(call)).take(in, in_count, in_type, size_of(call));
  return call;
}

template <class Count, class Place>
Collective alltoallv(const CallSite& where, const void* out, const Count out_counts[], const Place out_displacements[], MPI_Datatype out_type,
                     void* in, const Count in_counts[], const Place in_displacements[], MPI_Datatype in_type, MPI_Comm comm) {
  Collective call(where, comm);
  call.give_each(out, out_counts, out_displacements, out_type).take_each(in, in_counts, in_displacements, in_type);
  return call;
}

template <class Count, class Place>
Collective alltoallw(const CallSite& where, const void* out, const Count out_counts[], const Place[], const MPI_Datatype[], void*,
                     const Count in_counts[], const Place[], const MPI_Datatype[], MPI_Comm comm) {
  Collective call(where, comm);
  if (out != MPI_IN_PLACE) call.arguments.pointer(out_counts, "sendcounts");
  call.arguments.pointer(in_counts, "recvcounts");
  return call;
}

template <class Count>
Collective reduce(const CallSite& where, const void* out, void* in, Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  Collective call(where, comm);
  call.root(root).operation(op).equal(count, type);
  if (!call.ok() || call.arguments.comm->inter) return call;
  call.uses(out, count, type, false);
  if (call.is_root()) call.uses(in, count, type, true);
  return call;
}

template <class Count>
Collective all_reduce(const CallSite& where, const void* out, void* in, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  Collective call(where, comm);
  call.operation(op).equal(count, type).uses(out, count, type, false).uses(in, count, type, true);
  return call;
}

template <class Count>
Collective reduce_scatter(const CallSite& where, const void* out, void* in, const Count counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  Collective call(where, comm);
  call.operation(op).arguments.pointer(counts, "recvcounts");
  if (!call.ok()) return call;
  MPI_Count all = 0;
  for (std::size_t i = 0; i < call.arguments.comm->world.size(); ++i) all += counts[i];
  call.equal(all, type).uses(out, all, type, false);
  if (call.ok()) call.uses(in, out == MPI_IN_PLACE ? all : counts[call.arguments.comm->rank], type, true);
  return call;
}

template <class Count>
Collective reduce_scatter_block(const CallSite& where, const void* out, void* in, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
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

// What MPI_Name, MPI_Iname and MPI_Name_init have in common is their description; PARAMETERS and ARGUMENTS in brackets.
#define P2PLAB_BARE(...) __VA_ARGS__
#define P2PLAB_COLLECTIVE_OF(name, iname, init, describe, PARAMETERS, ARGUMENTS)                                      \
  P2PLAB_MPI int MPI_##name(P2PLAB_BARE PARAMETERS) {                                                                 \
    Collective call = describe({"MPI_" #name, P2PLAB_CALLER}, P2PLAB_BARE ARGUMENTS);                                 \
    return call.now([&](MPI_Request* request) { return PMPI_##iname(P2PLAB_BARE ARGUMENTS, request); });              \
  }                                                                                                                   \
  P2PLAB_MPI int MPI_##iname(P2PLAB_BARE PARAMETERS, MPI_Request* request) {                                          \
    Collective call = describe({"MPI_" #iname, P2PLAB_CALLER}, P2PLAB_BARE ARGUMENTS);                                \
    return call.later([&](MPI_Request* real) { return PMPI_##iname(P2PLAB_BARE ARGUMENTS, real); }, request);         \
  }                                                                                                                   \
  P2PLAB_MPI int MPI_##init(P2PLAB_BARE PARAMETERS, MPI_Info info, MPI_Request* request) {                            \
    Collective call = describe({"MPI_" #init, P2PLAB_CALLER}, P2PLAB_BARE ARGUMENTS);                                 \
    return call.when_started([&](MPI_Request* real) { return PMPI_##init(P2PLAB_BARE ARGUMENTS, info, real); }, request); \
  }

P2PLAB_COLLECTIVE_OF(Barrier, Ibarrier, Barrier_init, barrier, (MPI_Comm comm), (comm))

namespace with_int {
using Count = int;
using Place = int;
#define P2PLAB_COLLECTIVE(Name, IName, describe, PARAMETERS, ARGUMENTS) \
  P2PLAB_COLLECTIVE_OF(Name, IName, Name##_init, describe, PARAMETERS, ARGUMENTS)
#include "demos/probe/collectives.inc"
#undef P2PLAB_COLLECTIVE
}  // namespace with_int

namespace with_large_counts {
using Count = MPI_Count;
using Place = MPI_Aint;
#define P2PLAB_COLLECTIVE(Name, IName, describe, PARAMETERS, ARGUMENTS) \
  P2PLAB_COLLECTIVE_OF(Name##_c, IName##_c, Name##_init_c, describe, PARAMETERS, ARGUMENTS)
#include "demos/probe/collectives.inc"
#undef P2PLAB_COLLECTIVE
}  // namespace with_large_counts
