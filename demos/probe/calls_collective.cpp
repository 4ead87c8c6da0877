// The collectives, blocking, non-blocking and persistent. Each is described once; the blocking call is its non-blocking twin
// and a wait.
#include <numeric>
#include <vector>

#include "demos/probe/collective.h"

namespace p2plab::probe {
namespace {

MPI_Count size_of(const Collective& call) { return call.arguments.comm == nullptr ? 0 : static_cast<MPI_Count>(call.arguments.comm->peers().size()); }

Collective barrier(const CallSite& where, MPI_Comm comm) { return {where, comm}; }

template <class Count>
Collective bcast(const CallSite& where, void* buffer, Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  Collective call(where, comm);
  call.root(root).arguments.not_in_place(buffer);
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
  call.arguments.not_in_place(call.is_root() ? in : out);
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
  call.arguments.not_in_place(call.is_root() ? in : out);
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
  call.arguments.not_in_place(call.is_root() ? out : in);
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
  call.arguments.not_in_place(call.is_root() ? out : in);
  if (call.is_root()) call.give_each(out, counts, displacements, out_type);
  call.take(in, in_count, in_type);
  return call;
}

template <class Count>
Collective allgather(const CallSite& where, const void* out, Count out_count, MPI_Datatype out_type, void* in, Count in_count,
                     MPI_Datatype in_type, MPI_Comm comm) {
  Collective call(where, comm);
  call.arguments.not_in_place(in);
  call.give(out, out_count, out_type).take(in, in_count, in_type, size_of(call));
  return call;
}

template <class Count, class Place>
Collective allgatherv(const CallSite& where, const void* out, Count out_count, MPI_Datatype out_type, void* in, const Count counts[],
                      const Place displacements[], MPI_Datatype in_type, MPI_Comm comm) {
  Collective call(where, comm);
  call.arguments.not_in_place(in);
  call.give(out, out_count, out_type).take_each(in, counts, displacements, in_type);
  return call;
}

template <class Count>
Collective alltoall(const CallSite& where, const void* out, Count out_count, MPI_Datatype out_type, void* in, Count in_count,
                    MPI_Datatype in_type, MPI_Comm comm) {
  Collective call(where, comm);
  call.arguments.not_in_place(in);
  call.give(out, out_count, out_type, size_of(call)).take(in, in_count, in_type, size_of(call));
  return call;
}

template <class Count, class Place>
Collective alltoallv(const CallSite& where, const void* out, const Count out_counts[], const Place out_displacements[], MPI_Datatype out_type,
                     void* in, const Count in_counts[], const Place in_displacements[], MPI_Datatype in_type, MPI_Comm comm) {
  Collective call(where, comm);
  call.arguments.not_in_place(in);
  call.give_each(out, out_counts, out_displacements, out_type).take_each(in, in_counts, in_displacements, in_type);
  return call;
}

MPI_Aint extent_of(MPI_Datatype type) {
  const DatatypePtr& layout = find_datatype(type);
  return layout == nullptr ? 0 : layout->extent;
}

/// Of each of `ranks` that is there a part of the buffer, `place(i)` bytes behind its begin.
template <class Count, class Place, class Type>
void uses_each(Collective& call, const void* buffer, const std::vector<int>& ranks, bool written, Count count, Place place, Type type) {
  if (buffer == MPI_IN_PLACE) return;
  for (std::size_t i = 0; i < ranks.size() && call.ok(); ++i) {
    if (ranks[i] == MPI_PROC_NULL) continue;
    if (count(i) > 0) call.uses(static_cast<const char*>(buffer) + place(i), count(i), type(i), written);
    if (call.ok()) call.with(ranks[i], count(i), type(i), written);
  }
}
/// … where each has its own count, place in bytes and type.
template <class Count, class Place>
void uses_own(Collective& call, const void* buffer, const std::vector<int>& ranks, bool written, const Count counts[], const Place places[], const MPI_Datatype types[]) {
  uses_each(call, buffer, ranks, written, [&](std::size_t i) { return counts[i]; }, [&](std::size_t i) { return places[i]; }, [&](std::size_t i) { return types[i]; });
}
/// … its own count, and place in elements.
template <class Count, class Place>
void uses_placed(Collective& call, const void* buffer, const std::vector<int>& ranks, bool written, const Count counts[], const Place places[], MPI_Datatype type) {
  uses_each(call, buffer, ranks, written, [&](std::size_t i) { return counts[i]; },
            [&](std::size_t i) { return static_cast<MPI_Aint>(places[i]) * extent_of(type); }, [&](std::size_t) { return type; });
}
/// … one behind the other.
template <class Count>
void uses_in_a_row(Collective& call, const void* buffer, const std::vector<int>& ranks, bool written, Count count, MPI_Datatype type) {
  uses_each(call, buffer, ranks, written, [&](std::size_t) { return count; },
            [&](std::size_t i) { return static_cast<MPI_Aint>(i) * static_cast<MPI_Aint>(count) * extent_of(type); }, [&](std::size_t) { return type; });
}

template <class Count, class Place>
Collective alltoallw(const CallSite& where, const void* out, const Count out_counts[], const Place out_places[], const MPI_Datatype out_types[], void* in,
                     const Count in_counts[], const Place in_places[], const MPI_Datatype in_types[], MPI_Comm comm) {
  Collective call(where, comm);
  if (out != MPI_IN_PLACE) call.arguments.pointer(out_counts, "sendcounts").pointer(out_places, "sdispls").pointer(out_types, "sendtypes");
  if (call.arguments.not_in_place(in).pointer(in_counts, "recvcounts").pointer(in_places, "rdispls").pointer(in_types, "recvtypes").bad()) return call;
  std::vector<int> ranks(call.arguments.comm->peers().size());
  std::iota(ranks.begin(), ranks.end(), 0);
  uses_own(call, out, ranks, false, out_counts, out_places, out_types);
  uses_own(call, in, ranks, true, in_counts, in_places, in_types);
  return call;
}

template <class Count>
Collective reduce(const CallSite& where, const void* out, void* in, Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  Collective call(where, comm);
  call.root(root).operation(op).equal(count, type);
  if (!call.ok() || call.arguments.comm->inter) return call;
  call.arguments.not_in_place(call.is_root() ? in : out);
  call.uses(out, count, type, false);
  if (call.is_root()) call.uses(in, count, type, true);
  return call;
}

template <class Count>
Collective all_reduce(const CallSite& where, const void* out, void* in, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  Collective call(where, comm);
  call.operation(op).equal(count, type).arguments.not_in_place(in);
  return call.uses(out, count, type, false).uses(in, count, type, true);
}

template <class Count>
Collective reduce_scatter(const CallSite& where, const void* out, void* in, const Count counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  Collective call(where, comm);
  call.operation(op).arguments.pointer(counts, "recvcounts");
  if (!call.ok()) return call;
  MPI_Count all = 0;
  for (std::size_t i = 0; i < call.arguments.comm->world.size(); ++i) all += counts[i];
  call.equal_each(counts, type).arguments.not_in_place(in);
  call.uses(out, all, type, false);
  if (call.ok()) call.uses(in, out == MPI_IN_PLACE ? all : counts[call.arguments.comm->rank], type, true);
  return call;
}

template <class Count>
Collective reduce_scatter_block(const CallSite& where, const void* out, void* in, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  Collective call(where, comm);
  call.operation(op).equal(count, type).arguments.not_in_place(in);
  return call.uses(out, count * size_of(call), type, false).uses(in, count, type, true);
}

/// From whom and to whom the calling rank's neighbourhood collectives lead.
struct Neighbours {
  std::vector<int> sources, targets;

  explicit Neighbours(MPI_Comm comm) {
    int kind = MPI_UNDEFINED, in = 0, out = 0, weighted = 0, rank = 0;
    PMPI_Topo_test(comm, &kind);
    const auto room = [](int n) { return static_cast<std::size_t>(n); };
    if (kind == MPI_DIST_GRAPH) {
      PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
      sources.resize(room(in));
      targets.resize(room(out));
      PMPI_Dist_graph_neighbors(comm, in, sources.data(), MPI_UNWEIGHTED, out, targets.data(), MPI_UNWEIGHTED);
      return;
    }
    if (kind == MPI_GRAPH) {
      PMPI_Comm_rank(comm, &rank);
      PMPI_Graph_neighbors_count(comm, rank, &in);
      sources.resize(room(in));
      PMPI_Graph_neighbors(comm, rank, in, sources.data());
    } else if (kind == MPI_CART) {
      PMPI_Cartdim_get(comm, &in);
      for (int axis = 0; axis < in; ++axis) {
        int before = MPI_PROC_NULL, behind = MPI_PROC_NULL;
        PMPI_Cart_shift(comm, axis, 1, &before, &behind);
        sources.insert(sources.end(), {before, behind});
      }
    }
    targets = sources;
  }
};

// A neighbourhood collective: who speaks with whom is the topology's matter, and what is watched of the buffers belongs to
// neighbours that are there.
template <class Describe>
Collective neighbours(const CallSite& where, const void* out, const void* in, MPI_Comm comm, Describe describe) {
  Collective call(where, comm);
  call.arguments.not_in_place(out).not_in_place(in);
  if (call.ok() && !call.arguments.comm->unwatched) describe(call, Neighbours(comm));
  return call;
}

template <class Count>
Collective neighbor_allgather(const CallSite& where, const void* out, Count out_count, MPI_Datatype out_type, void* in, Count in_count,
                              MPI_Datatype in_type, MPI_Comm comm) {
  return neighbours(where, out, in, comm, [&](Collective& call, const Neighbours& known) {
    if (!known.targets.empty()) call.uses(out, out_count, out_type, false);
    for (const int target : known.targets) call.with(target, out_count, out_type, false);
    uses_in_a_row(call, in, known.sources, true, in_count, in_type);
  });
}

template <class Count, class Place>
Collective neighbor_allgatherv(const CallSite& where, const void* out, Count out_count, MPI_Datatype out_type, void* in, const Count counts[],
                               const Place places[], MPI_Datatype in_type, MPI_Comm comm) {
  return neighbours(where, out, in, comm, [&](Collective& call, const Neighbours& known) {
    if (!known.targets.empty()) call.uses(out, out_count, out_type, false);
    for (const int target : known.targets) call.with(target, out_count, out_type, false);
    uses_placed(call, in, known.sources, true, counts, places, in_type);
  });
}

template <class Count>
Collective neighbor_alltoall(const CallSite& where, const void* out, Count out_count, MPI_Datatype out_type, void* in, Count in_count,
                             MPI_Datatype in_type, MPI_Comm comm) {
  return neighbours(where, out, in, comm, [&](Collective& call, const Neighbours& known) {
    uses_in_a_row(call, out, known.targets, false, out_count, out_type);
    uses_in_a_row(call, in, known.sources, true, in_count, in_type);
  });
}

template <class Count, class Place>
Collective neighbor_alltoallv(const CallSite& where, const void* out, const Count out_counts[], const Place out_places[], MPI_Datatype out_type, void* in,
                              const Count in_counts[], const Place in_places[], MPI_Datatype in_type, MPI_Comm comm) {
  return neighbours(where, out, in, comm, [&](Collective& call, const Neighbours& known) {
    uses_placed(call, out, known.targets, false, out_counts, out_places, out_type);
    uses_placed(call, in, known.sources, true, in_counts, in_places, in_type);
  });
}

template <class Count>
Collective neighbor_alltoallw(const CallSite& where, const void* out, const Count out_counts[], const MPI_Aint out_places[], const MPI_Datatype out_types[],
                              void* in, const Count in_counts[], const MPI_Aint in_places[], const MPI_Datatype in_types[], MPI_Comm comm) {
  return neighbours(where, out, in, comm, [&](Collective& call, const Neighbours& known) {
    uses_own(call, out, known.targets, false, out_counts, out_places, out_types);
    uses_own(call, in, known.sources, true, in_counts, in_places, in_types);
  });
}

}  // namespace
}  // namespace p2plab::probe

using namespace p2plab::probe;

// What MPI_Name, MPI_Iname and MPI_Name_init have in common is their description; PARAMETERS and ARGUMENTS in brackets.
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
