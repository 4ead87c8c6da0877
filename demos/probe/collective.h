// One collective call: what each rank gives and takes, so that ranks can be compared, and the way it waits.
//
// The text in the trace (Span::detail): "r0;oMPI_SUM;eMPI_INT*16;gMPI_INT*16/32;tMPI_INT*16", parts left out where they mean
// nothing: the root's world rank, the operation, what must be equal on all ranks, bytes given (to everyone, or to each
// rank of the communicator in order), bytes taken (from everyone, or from each). Where each pair has its own, a part for each:
// "S3:MPI_INT*16" to, "R3:MPI_INT*16" from the rank 3 of the world.
#pragma once
#include <algorithm>
#include <functional>

#include "demos/probe/requests.h"

namespace p2plab::probe {

class Collective {
 public:
  Collective(const CallSite& where, MPI_Comm comm) : arguments(where, comm) {}

  Collective& root(int rank);
  Collective& operation(MPI_Op op);
  /// Equal on all ranks; `buffers` are of `count` elements of `type`.
  Collective& equal(MPI_Count count, MPI_Datatype type);
  /// The same where each rank has a count of its own.
  template <class Count>
  Collective& equal_each(const Count counts[], MPI_Datatype type);
  /// To or from one rank of the communicator alone, as other pairs may have other types.
  Collective& with(int rank, MPI_Count count, MPI_Datatype type, bool taken);
  Collective& give(const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Count copies = 1);
  Collective& take(void* buffer, MPI_Count count, MPI_Datatype type, MPI_Count copies = 1);
  /// To or from each rank: counts and displacements in elements.
  template <class Count, class Place>
  Collective& give_each(const void* buffer, const Count counts[], const Place displacements[], MPI_Datatype type) {
    return buffer == MPI_IN_PLACE ? *this : each('g', buffer, counts, displacements, type);
  }
  template <class Count, class Place>
  Collective& take_each(void* buffer, const Count counts[], const Place displacements[], MPI_Datatype type) {
    return each('t', buffer, counts, displacements, type);
  }
  /// Not a call on the communicator: only these ranks make it, in an order of their own.
  Collective& among(const CommunicatorPtr& ranks);
  /// Watched only: a buffer that the text does not speak of.
  Collective& uses(const void* buffer, MPI_Count count, MPI_Datatype type, bool written);

  /// Is this rank the root?
  bool is_root() const { return arguments.comm != nullptr && root_ == arguments.comm->rank; }
  bool ok() const { return !arguments.bad(); }

  using Post = std::function<int(MPI_Request*)>;
  /// Posts the non-blocking twin and waits.
  int now(const Post& post);
  /// A call that has no twin: all ranks meet first, then it cannot stand still.
  int together(const std::function<int()>& call);
  /// Posts it and gives the request.
  int later(const Post& post, MPI_Request* out);
  /// Makes a persistent request by `init`.
  int when_started(const Post& init, MPI_Request* out);
  /// One start of the persistent request that this has made, called at `pc`.
  int start(void* pc, Request& request);

  Arguments arguments;

 private:
  struct Region {
    const void* buffer;
    MPI_Count count;
    DatatypePtr layout;
    bool written;
  };
  Record record(std::uint8_t flags);
  template <class Count, class Place>
  Collective& each(char what, const void* buffer, const Count counts[], const Place displacements[], MPI_Datatype type);
  int meet(Call& call);
  int meet_by_messages(Call& call, const Record& record);
  void touch_regions() const;
  std::vector<std::int32_t> watch_regions() const;

  int root_ = -1;
  std::string text_;
  std::vector<Region> regions_;
  std::uint64_t bytes_ = 0;
  CommunicatorPtr order_;  ///< among whose calls it has its place; null: those of the communicator
};

template <class Count>
Collective& Collective::equal_each(const Count counts[], MPI_Datatype type) {
  DatatypePtr layout;
  if (!ok() || arguments.pointer(counts, "recvcounts").type(type, layout).bad()) return *this;
  std::string text = "e" + layout->signature + "*";
  for (std::size_t i = 0; i < arguments.comm->world.size() && !arguments.count(counts[i]).bad(); ++i) {
    const auto bytes = static_cast<MPI_Count>(counts[i]) * layout->size;
    bytes_ += static_cast<std::uint64_t>(bytes);
    text += (i == 0 ? "" : "/") + std::to_string(bytes);
  }
  if (ok() && !arguments.comm->inter) text_ += text + ";";
  return *this;
}

template <class Count, class Place>
Collective& Collective::each(char what, const void* buffer, const Count counts[], const Place displacements[], MPI_Datatype type) {
  DatatypePtr layout;
  if (!ok() || arguments.pointer(counts, "counts").pointer(displacements, "displs").type(type, layout).bad()) return *this;
  std::string text = what + layout->signature + "*";
  for (std::size_t i = 0; i < arguments.comm->peers().size() && ok(); ++i) {
    const auto bytes = static_cast<MPI_Count>(counts[i]) * layout->size;
    uses(static_cast<const char*>(buffer) + static_cast<MPI_Aint>(displacements[i]) * layout->extent, counts[i], type, what == 't');
    if (what == 'g') bytes_ += static_cast<std::uint64_t>(std::max<MPI_Count>(bytes, 0));
    text += (i == 0 ? "" : "/") + std::to_string(bytes);
  }
  if (ok() && !arguments.comm->inter) text_ += text + ";";
  return *this;
}

}  // namespace p2plab::probe
